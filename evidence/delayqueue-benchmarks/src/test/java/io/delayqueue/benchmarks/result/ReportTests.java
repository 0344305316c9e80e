// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTests {

    private final List<Run> runs = new ArrayList<>();

    @Test
    void textShowsMedianMinAndMax() {
        run("W1", "loop", 1, Map.of("1 thread", 3.0));
        run("W1", "loop", 2, Map.of("1 thread", 1.0));
        run("W1", "loop", 3, Map.of("1 thread", 2.0));

        assertThat(report()).contains("| W1 | 1 thread | loop | 2 | 1 | 3 | tasks/s | 3 |  |");
    }

    @Test
    void textWhenOneRoundWasDisturbedComparesByTheRatiosOfTheRounds() {
        run("W1", "delayqueue", 1, Map.of("1 thread", 1000.0));
        run("W1", "delayqueue", 2, Map.of("1 thread", 500.0));
        run("W1", "delayqueue", 3, Map.of("1 thread", 480.0));
        run("W1", "loop", 1, Map.of("1 thread", 1000.0));
        run("W1", "loop", 2, Map.of("1 thread", 500.0));
        run("W1", "loop", 3, Map.of("1 thread", 900.0));

        assertThat(report()).contains("| W1 | 1 thread | loop | 900 | 500 | 1,000 | tasks/s | 3 | x 1 |");
    }

    @Test
    void textWhenARunHadProblemsLeavesItsValuesOutAndSaysSo() {
        run("W6", "delayqueue", 1, Map.of("100,000 pending", 900.0));
        run("W6", "delayqueue", 2, Map.of("100,000 pending", 900.0));
        run("W6", "loop", 1, Map.of("100,000 pending", 1000.0));
        failed("W6", "loop", 2, Map.of("100,000 pending", 3.0));

        assertThat(report())
                .contains("| W6 | 100,000 pending | loop | 1,000 | 1,000 | 1,000 | tasks/s | 1; 1 had problems | x 0.90 |");
    }

    @Test
    void textWhenAllRunsHadProblemsKeepsTheRow() {
        run("W6", "delayqueue", 1, Map.of("100,000 pending", 900.0));
        failed("W6", "loop", 1, Map.of("100,000 pending", 3.0));

        assertThat(report())
                .contains("| W6 | 100,000 pending | loop | had problems |  |  | tasks/s | 0; 1 had problems |  |");
    }

    @Test
    void textWhenNoRunEndedSaysSoInARow() {
        run("W16", "delayqueue-plain", 1, Map.of("50,000 due at once", 900.0));
        failed("W16", "delayqueue-observed", 1, Map.of());

        assertThat(report())
                .contains("| W16 | everything | delayqueue-observed | had problems |  |  |  | 0; 1 had problems |  |");
    }

    private String report() {
        return new Report(runs, Map.of("date", "today")).text("Results", List.of());
    }

    private void run(String workload, String subject, int round, Map<String, Double> metrics) {
        add(workload, subject, round, new Outcome(metrics, 1, 1, List.of(), Map.of(), 0, 0));
    }

    private void failed(String workload, String subject, int round, Map<String, Double> metrics) {
        add(workload, subject, round, new Outcome(metrics, 1, 0, List.of("0 of 1 tasks"), Map.of(), 0, 0));
    }

    private void add(String workload, String subject, int round, Outcome outcome) {
        runs.add(new Run(workload, subject, Run.NONE, round, "3806a1d1", Instant.EPOCH, 0, outcome));
    }
}
