// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayqueue.faults.check.Lateness;
import io.delayqueue.faults.check.Verdict;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

class GuaranteesTableTests {

    private static final Lateness LATENESS =
            new Lateness(10, Duration.ZERO, Duration.ofMillis(7), Duration.ofMillis(9));

    private final GuaranteesTable table = new GuaranteesTable(List.of("one", "two"));

    @Test
    void updatedWhenRunsAreWrittenOneAfterTheOtherKeepsTheRowsOfBothInTheOrderOfTheCells() {
        List<String> page = List.of("# Page", GuaranteesTable.BEGIN, GuaranteesTable.END, "the end");
        List<String> once = table.updated(page, List.of(result("two", 1)));
        List<String> twice = table.updated(once, List.of(result("one", 2)));
        List<String> thrice = table.updated(twice, List.of(result("two", 3)));
        assertThat(thrice).startsWith("# Page", GuaranteesTable.BEGIN).endsWith(GuaranteesTable.END, "the end");
        assertThat(thrice)
                .filteredOn(line -> line.startsWith("| `"))
                .satisfiesExactly(
                        row -> assertThat(row)
                                .startsWith("| `one` | Something happens | Redis 7 | 2026-01-31 |")
                                .contains("| 2 |"),
                        row -> assertThat(row)
                                .startsWith("| `two` |")
                                .contains("| 3 |")
                                .contains("| 7 ms |")
                                .endsWith("| kept |"));
    }

    @Test
    void updatedWhenTheCellIsNoMoreDropsItsRow() {
        List<String> page = table.updated(
                List.of(GuaranteesTable.BEGIN, GuaranteesTable.END), List.of(result("one", 1), result("two", 2)));
        assertThat(new GuaranteesTable(List.of("two")).updated(page, List.of()))
                .noneMatch(line -> line.contains("`one`"))
                .anyMatch(line -> line.contains("`two`"));
    }

    @Test
    void updatedWhenItsRowsWereWrittenForOtherColumnsDropsThem() {
        List<String> page = List.of(
                GuaranteesTable.BEGIN, "| cell | other |", "| --- | --- |", "| `one` | x |", GuaranteesTable.END);
        assertThat(table.updated(page, List.of())).noneMatch(line -> line.contains("`one`"));
    }

    @Test
    void updatedWhenThereAreNoMarkersRefuses() {
        assertThatIllegalArgumentException().isThrownBy(() -> table.updated(List.of("# Page"), List.of()));
    }

    private static CellResult result(String name, int scheduled) {
        Verdict verdict = new Verdict(
                name, scheduled, 0, 0, 0, 0, 0, 0, 0, 0, 0, LATENESS, LATENESS, Duration.ofSeconds(1), List.of());
        return new CellResult(
                Cell.of(name, "Something happens", Fault.NONE), verdict, "Redis 7", LocalDate.of(2026, 1, 31));
    }
}
