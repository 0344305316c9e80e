// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.campaign;

import static io.delayqueue.faults.campaign.Made.kept;
import static io.delayqueue.faults.campaign.Made.outcome;
import static io.delayqueue.faults.campaign.Made.planned;
import static io.delayqueue.faults.campaign.Made.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.faults.cell.Outcome.Ending;
import io.delayqueue.faults.check.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTests {

    private static final String OUTBOX = "44444444";
    private static final LibraryCommits COMMITS = new LibraryCommits(Made.LIBRARY, OUTBOX);

    private final Plan plan = Plan.of(List.of("one", "two"), List.of(), List.of(), 2, 120, COMMITS);

    @Test
    void leftWhenTheOutboxHasChangedSinceIsWhatRunsWithIt() {
        List<RunRecord> records = List.of(of("one", Made.LIBRARY), of("outbox-pg-kill", Made.LIBRARY + "/" + OUTBOX));
        List<String> cells = List.of("one", "outbox-pg-kill");
        assertThat(Plan.of(cells, List.of(), List.of(), 1, 120, COMMITS).left(records))
                .isEmpty();
        Plan changed = Plan.of(cells, List.of(), List.of(), 1, 120, new LibraryCommits(Made.LIBRARY, "55555555"));
        assertThat(changed.left(records)).containsExactly(planned("outbox-pg-kill", 1));
        Plan others = Plan.of(cells, List.of(), List.of(), 1, 120, new LibraryCommits("33333333", OUTBOX));
        assertThat(others.left(records)).isEqualTo(others.runs());
    }

    private static RunRecord of(String cell, String library) {
        return new RunRecord(cell, null, null, null, 1L, 120, library, "22222222", "2026-01-31", kept(), List.of());
    }

    @Test
    void leftWhenAllButTheOutboxIsNotCommittedIsAll() {
        Plan changed = Plan.of(
                List.of("outbox-pg-kill"),
                List.of(),
                List.of(),
                1,
                120,
                new LibraryCommits(Made.LIBRARY + "+", OUTBOX));
        assertThat(changed.left(List.of(of("outbox-pg-kill", Made.LIBRARY + "+/" + OUTBOX))))
                .isEqualTo(changed.runs());
    }

    @Test
    void leftWhenTheRunWasShorterOrOfAMutantHasIt() {
        RunRecord shorter = new RunRecord(
                "one", null, null, null, 1L, 60, Made.LIBRARY, "22222222", "2026-01-31", kept(), List.of());
        RunRecord ofMutant = new RunRecord(
                "one",
                null,
                null,
                "some",
                1L,
                120,
                Made.LIBRARY,
                "22222222",
                "2026-01-31",
                outcome(Ending.CONVICTED),
                List.of());
        assertThat(plan.left(List.of(shorter, ofMutant))).isEqualTo(plan.runs());
    }

    @Test
    void leftWhenARunFailedDoesNotHaveItUnlessAsked() {
        List<RunRecord> records = List.of(
                record("one", 1, outcome(Ending.BROKEN, Rule.LOST)),
                record("two", 1, kept()),
                record("one", 2, outcome(Ending.FAILED)));
        assertThat(plan.left(records)).containsExactly(planned("two", 2));
        assertThat(plan.leftOrFailed(records)).containsExactly(planned("one", 1), planned("one", 2), planned("two", 2));
        assertThat(plan.failed(records)).containsExactly(planned("one", 1), planned("one", 2));
    }
}
