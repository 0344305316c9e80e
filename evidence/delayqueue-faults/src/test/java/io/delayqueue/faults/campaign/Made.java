// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.campaign;

import io.delayqueue.faults.cell.Figures;
import io.delayqueue.faults.cell.Outcome;
import io.delayqueue.faults.cell.Outcome.Ending;
import io.delayqueue.faults.check.Rule;
import java.util.List;

/** Records of runs for tests. */
final class Made {

    static final String LIBRARY = "11111111";

    private Made() {}

    static Planned planned(String cell, long seed) {
        return new Planned(cell, null, seed, 120, false);
    }

    static Outcome kept() {
        return outcome(Ending.KEPT);
    }

    static Outcome outcome(Ending ending, Rule... broken) {
        Figures figures = new Figures(100, 1, 80, 3, 17, 0, 0, 2, 0, 0, 1L, 7L, 9L, null, 5L);
        return new Outcome(ending, "Redis 7, RabbitMQ 3", figures, List.of(broken), List.of(), "a line");
    }

    static RunRecord record(String cell, long seed, Outcome outcome, String... notes) {
        return new RunRecord(
                cell, null, null, null, seed, 120, LIBRARY, "22222222", "2026-01-31", outcome, List.of(notes));
    }
}
