// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayqueue.faults.check.Lateness;
import io.delayqueue.faults.check.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultRunsTableTests {

    private static final Lateness LATENESS =
            new Lateness(10, Duration.ZERO, Duration.ofMillis(7), Duration.ofMillis(9));

    private final FaultRunsTable table = new FaultRunsTable(List.of("one", "two"));

    @Test
    void updatedWhenRunsAreWrittenOneAfterTheOtherKeepsTheRowsOfBothInTheOrderOfTheCells() {
        List<String> page = List.of("# Page", FaultRunsTable.BEGIN, FaultRunsTable.END, "the end");
        List<String> once = table.updated(page, List.of(result("two", 1)));
        List<String> twice = table.updated(once, List.of(result("one", 2)));
        List<String> thrice = table.updated(twice, List.of(result("two", 3)));
        assertThat(thrice).startsWith("# Page", FaultRunsTable.BEGIN).endsWith(FaultRunsTable.END, "the end");
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
                List.of(FaultRunsTable.BEGIN, FaultRunsTable.END), List.of(result("one", 1), result("two", 2)));
        assertThat(new FaultRunsTable(List.of("two")).updated(page, List.of()))
                .noneMatch(line -> line.contains("`one`"))
                .anyMatch(line -> line.contains("`two`"));
    }

    @Test
    void updatedWhenItsRowsWereWrittenForOtherColumnsDropsThem() {
        List<String> page =
                List.of(FaultRunsTable.BEGIN, "| cell | other |", "| --- | --- |", "| `one` | x |", FaultRunsTable.END);
        assertThat(table.updated(page, List.of())).noneMatch(line -> line.contains("`one`"));
    }

    @Test
    void updatedWhenThereAreNoMarkersRefuses() {
        assertThatIllegalArgumentException().isThrownBy(() -> table.updated(List.of("# Page"), List.of()));
    }

    @Test
    void updatedWhenNothingWasRunLeavesThePageInTheDocsAsItIs() throws IOException {
        List<String> page = Files.readAllLines(Path.of("../..").resolve(FaultRunsTable.PAGE));
        List<String> cells = page.stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(3, line.indexOf('`', 3)))
                .toList();
        assertThat(cells).hasSizeGreaterThan(40);
        assertThat(new FaultRunsTable(cells).updated(page, List.of())).isEqualTo(page);
    }

    private static CellResult result(String name, int scheduled) {
        Verdict verdict = new Verdict(
                name, scheduled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, LATENESS, LATENESS, Duration.ofSeconds(1), List.of());
        return new CellResult(
                Cell.of(name, "Something happens", Fault.NONE), verdict, "Redis 7", LocalDate.of(2026, 1, 31));
    }
}
