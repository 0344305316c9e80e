// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class CellsTests {

    private final Cells cells = new Cells();

    @Test
    void allWhenAskedNamesEachOnceAndDescribesIt() {
        assertThat(cells.all()).extracting(Cell::name).doesNotHaveDuplicates().contains("quiet", "redis-kill");
        assertThat(cells.all()).allSatisfy(cell -> {
            assertThat(cell.name()).matches("[a-z0-9-]{1,28}");
            assertThat(cell.description()).isNotBlank().doesNotEndWith(".").doesNotContain("|");
        });
    }

    @Test
    void namedWhenThereIsNoneOfANameSaysWhichThereAre() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> cells.named(List.of("quiet", "no-such-cell")))
                .withMessageContaining("no-such-cell")
                .withMessageContaining("redis-kill");
    }

    @Test
    void ofShortRunWhenAskedIsNotEmpty() {
        assertThat(cells.ofShortRun()).isNotEmpty();
    }
}
