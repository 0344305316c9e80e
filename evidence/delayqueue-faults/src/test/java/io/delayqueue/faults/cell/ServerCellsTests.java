// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class ServerCellsTests {

    @Test
    void environmentWhenTheCellNamesNoServerIsThatOfThisProcess() {
        assertThat(ServerCells.environment("quiet", null)).isEmpty();
    }

    @Test
    void environmentWhenTheProgramIsNotThereSaysWhatIsMissing() {
        assertThat(ServerCells.all())
                .allSatisfy(cell -> assertThatIllegalStateException()
                        .isThrownBy(() -> ServerCells.environment(cell.name(), "no-such-folder"))
                        .withMessageContaining(cell.name() + "/r")
                        .withMessageContaining(ServerCells.PROGRAMS_VARIABLE));
    }
}
