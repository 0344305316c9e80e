// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.faults.cell.Cell;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SoakFaultsTests {

    @Test
    void nextWhenTheSeedIsTheSameGivesTheSame() {
        assertThat(names(7, 30)).isEqualTo(names(7, 30)).isNotEqualTo(names(8, 30));
    }

    @Test
    void nextWhenFourAreTakenGivesOneOfEachKind() {
        assertThat(names(7, 4)).filteredOn(name -> name.contains("network")).hasSize(1);
        assertThat(names(7, 4))
                .filteredOn(name -> name.startsWith("application"))
                .hasSize(1);
    }

    @Test
    void nextWhenAKindComesAgainGivesAnotherOfIt() {
        assertThat(names(7, 20))
                .filteredOn(name -> name.startsWith("rabbit") && !name.contains("network"))
                .hasSize(5)
                .doesNotHaveDuplicates();
    }

    private static List<String> names(long seed, int count) {
        SoakFaults faults = new SoakFaults(new Random(seed));
        return IntStream.range(0, count)
                .mapToObj(i -> faults.next())
                .map(Cell::name)
                .toList();
    }
}
