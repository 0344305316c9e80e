// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.campaign;

import static io.delayqueue.faults.campaign.Made.kept;
import static io.delayqueue.faults.campaign.Made.outcome;
import static io.delayqueue.faults.campaign.Made.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayqueue.faults.cell.Cell;
import io.delayqueue.faults.cell.Cells;
import io.delayqueue.faults.cell.Fault;
import io.delayqueue.faults.cell.Outcome;
import io.delayqueue.faults.cell.Outcome.Ending;
import io.delayqueue.faults.check.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunsPageTests {

    private static final List<String> EMPTY = List.of(
            "# Page",
            RunsPage.begin(RunsPage.CELLS),
            "| `gone` | of another time |",
            RunsPage.end(RunsPage.CELLS),
            RunsPage.begin(RunsPage.ROUNDS),
            RunsPage.end(RunsPage.ROUNDS),
            "between",
            RunsPage.begin(RunsPage.MUTANTS),
            RunsPage.end(RunsPage.MUTANTS),
            "the end");

    private final RunsPage page =
            new RunsPage(List.of(Cell.of("one", "Something", Fault.NONE), Cell.of("two", "Another thing", Fault.NONE)));

    @Test
    void updatedWhenACellRanWithTwoSeedsHasTheirSumsAndTheWorstTimesInOneRow() {
        List<String> updated = page.updated(EMPTY, List.of(record("one", 1, kept()), record("one", 2, kept())));
        assertThat(updated)
                .contains(
                        "| `one` | Something | Redis 7, RabbitMQ 3 | `11111111` | 2 of 120 s, 2026-01-31 | 200 | 160 | 6 | 34"
                                + " | 0 | 4 / 0 | 0 | 7 ms | - | 5 ms | kept |")
                .contains("| `two` | Another thing | not run |  |  |  |  |  |  |  |  |  |  |  |  |  |")
                .startsWith("# Page")
                .contains("between")
                .endsWith("the end")
                .noneMatch(line -> line.contains("gone"));
    }

    @Test
    void updatedWhenOneSeedFailedOrRanAgainSaysWhich() {
        assertThat(page.updated(
                        EMPTY,
                        List.of(
                                record("one", 1, kept(), "a note"),
                                record("one", 2, outcome(Ending.BROKEN, Rule.LOST)))))
                .anyMatch(line -> line.endsWith("| seed 1 kept; seed 2 **broken**: `LOST` (seed 1: a note) |"));
    }

    @Test
    void updatedWhenRoundsRanHasWhatTheySaid() {
        Outcome outcome = new Outcome(
                Ending.BROKEN,
                null,
                null,
                List.of(Rule.LOST),
                List.of("LOST one"),
                "outbox-rounds   FAIL 120 rounds on PostgreSQL 15, seed 2, 90 died, broken [LOST]");
        assertThat(page.updated(EMPTY, List.of(record("outbox-rounds-postgres", 2, outcome))))
                .contains(
                        "| `outbox-rounds-postgres` | `11111111` | 1 of 120 s, 2026-01-31 | 120 rounds on PostgreSQL 15, seed 2,"
                                + " 90 died | **broken**: `LOST` |");
    }

    @Test
    void updatedWhenAMutantRanSaysByWhatItWasConvicted() {
        RunRecord mutant = new RunRecord(
                "application-kill-one",
                "pop-without-lease",
                1L,
                60,
                Made.LIBRARY,
                "22222222",
                "2026-01-31",
                outcome(Ending.CONVICTED, Rule.LOST),
                List.of());
        assertThat(page.updated(EMPTY, List.of(mutant)))
                .contains(
                        "| `pop-without-lease` | `application-kill-one` | `11111111` | 1 of 60 s, 2026-01-31 | 80 | 0 |"
                                + " convicted by `LOST` |")
                .anyMatch(line -> line.startsWith("| `stale-token-accepted` | `application-freeze` | not run |"));
    }

    @Test
    void updatedWhenThereAreNoMarkersRefuses() {
        assertThatIllegalArgumentException().isThrownBy(() -> page.updated(List.of("# Page"), List.of()));
    }

    @Test
    void updatedWhenThePageInTheDocsIsAsItsRecordsLeavesItAsItIs() throws IOException {
        Path root = Path.of("../..");
        List<RunRecord> records = new Records(root.resolve(FaultCampaign.RECORDS)).all();
        List<String> docs = Files.readAllLines(root.resolve(FaultCampaign.PAGE));
        assertThat(new RunsPage(new Cells().all()).updated(docs, records)).isEqualTo(docs);
    }
}
