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

        assertThat(report()).contains("| W1 | 1 thread | loop | 2 | 1 | 3 | tasks/s | more | 3 |  |");
    }

    @Test
    void textWhenOneRoundWasDisturbedComparesByTheRatiosOfTheRounds() {
        run("W1", "delayqueue", 1, Map.of("1 thread", 1000.0));
        run("W1", "delayqueue", 2, Map.of("1 thread", 500.0));
        run("W1", "delayqueue", 3, Map.of("1 thread", 480.0));
        run("W1", "loop", 1, Map.of("1 thread", 1000.0));
        run("W1", "loop", 2, Map.of("1 thread", 500.0));
        run("W1", "loop", 3, Map.of("1 thread", 900.0));

        assertThat(report()).contains("| W1 | 1 thread | loop | 900 | 500 | 1,000 | tasks/s | more | 3 | 1 |");
    }

    @Test
    void textWhenLessIsBetterSaysSoBesideTheRatio() {
        run("W3", "delayqueue", 1, Map.of("p99", 3.0));
        run("W3", "redisson", 1, Map.of("p99", 15.0));

        assertThat(report())
                .contains("| unit | better is | rounds | delayqueue / subject |")
                .contains("| W3 | p99 | redisson | 15 | 15 | 15 | ms | less | 1 | 0.20 |");
    }

    @Test
    void textWhenARatioIsTinyShowsTwoDigitsOfIt() {
        run("W3", "delayqueue", 1, Map.of("p50", 0.71));
        run("W3", "loop", 1, Map.of("p50", 499.0));

        assertThat(report()).contains("| W3 | p50 | loop | 499 | 499 | 499 | ms | less | 1 | 0.0014 |");
    }

    @Test
    void textWhenARunHadProblemsLeavesItsValuesOutAndSaysSo() {
        run("W6", "delayqueue", 1, Map.of("100,000 pending", 900.0));
        run("W6", "delayqueue", 2, Map.of("100,000 pending", 900.0));
        run("W6", "loop", 1, Map.of("100,000 pending", 1000.0));
        failed("W6", "loop", 2, Map.of("100,000 pending", 3.0));

        assertThat(report())
                .contains("| W6 | 100,000 pending | loop | 1,000 | 1,000 | 1,000 | ")
                .contains(" | tasks/s | more | 1; 1 had problems | 0.90 |");
    }

    @Test
    void textWhenAllRunsHadProblemsKeepsTheRow() {
        run("W6", "delayqueue", 1, Map.of("100,000 pending", 900.0));
        failed("W6", "loop", 1, Map.of("100,000 pending", 3.0));

        assertThat(report())
                .contains(
                        "| W6 | 100,000 pending | loop | had problems |  |  | tasks/s | more | 0; 1 had problems |  |");
    }

    @Test
    void textWhenNoRunEndedSaysSoInARow() {
        run("W16", "delayqueue-plain", 1, Map.of("50,000 due at once", 900.0));
        failed("W16", "delayqueue-observed", 1, Map.of());

        assertThat(report())
                .contains(
                        "| W16 | everything | delayqueue-observed | had problems |  |  |  |  | 0; 1 had problems |  |");
    }

    @Test
    void textNamesTheProcessorOfEachRoundWhereThereAreSeveral() {
        on("AMD EPYC, 2 cores", "W5", 2);
        on("Intel Xeon, 2 cores", "W6", 1);
        on("AMD EPYC, 2 cores", "W6", 2);
        on("AMD EPYC, 2 cores", "W6", 3);

        assertThat(report())
                .contains("| W5 | 3806a1d1 | 1970-01-01 | AMD EPYC, 2 cores | 0 |")
                .contains("| W6 | 3806a1d1 | 1970-01-01"
                        + " | Intel Xeon, 2 cores (round 1); AMD EPYC, 2 cores (round 2, 3) | 0 |");
    }

    private void on(String processor, String workload, int round) {
        Outcome outcome = new Outcome(Map.of("bytes a task", 426.0), 1, 1, List.of(), Map.of(), 0, 0);
        runs.add(new Run(
                workload,
                "delayqueue",
                Run.NONE,
                round,
                "3806a1d1",
                "480af39f",
                processor,
                Instant.EPOCH,
                0,
                0,
                outcome));
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
        runs.add(new Run(workload, subject, Run.NONE, round, "3806a1d1", "480af39f", Instant.EPOCH, 0, 0, outcome));
    }
}
