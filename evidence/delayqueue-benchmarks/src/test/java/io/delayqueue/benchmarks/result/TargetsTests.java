// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetsTests {

    private final List<Run> runs = new ArrayList<>();

    @Test
    void missedWhenRatioIsReachedIsEmpty() {
        run("W6", "delayqueue", 1, Map.of("100,000 pending", 900.0));
        run("W6", "loop", 1, Map.of("100,000 pending", 1000.0));

        assertThat(Targets.missed(runs)).isEmpty();
        assertThat(report())
                .contains("| W6 | 100,000 pending | 900 | 1,000 | 0.90 | 0.90 | 0.90 | >= 0.90 x loop | pass |");
    }

    @Test
    void missedWhenRatioIsNotReachedNamesTheRow() {
        run("W6", "delayqueue", 1, Map.of("100,000 pending", 899.0));
        run("W6", "loop", 1, Map.of("100,000 pending", 1000.0));

        assertThat(Targets.missed(runs))
                .singleElement()
                .asString()
                .startsWith("W6, 100,000 pending: ")
                .endsWith("must be >= 0.90 x loop");
        assertThat(report()).contains("**miss**");
    }

    @Test
    void missedWhenAnUpperBoundIsExceededNamesTheRow() {
        run("W5", "delayqueue", 1, Map.of("bytes a task", 461.0));
        run("W3", "delayqueue", 1, Map.of("p50", 0.9, "p99", 4.0, "early", 1.0));
        run("W3", "bare-timer-script", 1, Map.of("p50", 0.5, "p99", 2.0));

        assertThat(Targets.missed(runs))
                .containsExactly(
                        "W3, p99: 2, must be <= 1.80 x bare-timer-script",
                        "W3, early: 1, must be <= 0",
                        "W5, bytes a task: 461, must be <= 460");
    }

    @Test
    void missedWhenOneRoundWasDisturbedGoesByTheRatiosOfTheRounds() {
        // both halved in round 2: medians alone would compare what was measured under different conditions
        run("W6", "delayqueue", 1, Map.of("100,000 pending", 1000.0));
        run("W6", "delayqueue", 2, Map.of("100,000 pending", 500.0));
        run("W6", "delayqueue", 3, Map.of("100,000 pending", 480.0));
        run("W6", "loop", 1, Map.of("100,000 pending", 1000.0));
        run("W6", "loop", 2, Map.of("100,000 pending", 500.0));
        run("W6", "loop", 3, Map.of("100,000 pending", 900.0));

        assertThat(Targets.missed(runs)).isEmpty();
    }

    @Test
    void missedWhenMeasuredWithPersistenceComparesWithTheSame() {
        add("W6", "delayqueue", Run.EVERYSEC, outcome(Map.of("100,000 pending", 8.0)));
        add("W6", "loop", Run.EVERYSEC, outcome(Map.of("100,000 pending", 10.0)));
        run("W6", "delayqueue", 1, Map.of("100,000 pending", 10.0));
        run("W6", "loop", 1, Map.of("100,000 pending", 10.0));

        assertThat(Targets.missed(runs))
                .containsExactly("W6, 100,000 pending, AOF everysec: 0.80, must be >= 0.90 x loop");
    }

    @Test
    void missedWhenTheRateFallsWithSizeComparesWithItsOwn() {
        run("W2b", "delayqueue", 1, Map.of("50,000 due at once", 100.0, "200,000 due at once", 94.0));

        assertThat(Targets.missed(runs))
                .containsExactly("W2b, 200,000 due at once: 0.94, must be >= 0.95 x its own 50,000 due at once");
    }

    @Test
    void missedWhenTheLatestIsTooFarAboveABareTimersNamesTheRow() {
        run("W3", "delayqueue", 1, Map.of("max", 35.0));
        run("W3", "bare-timer", 1, Map.of("max", 19.0));

        assertThat(Targets.missed(runs)).containsExactly("W3, max: 16, must be <= bare-timer + 15");
        assertThat(report()).contains("| W3 | max | 35 | 19 | 16 | 16 | 16 | <= bare-timer + 15 | **miss** |");
    }

    @Test
    void missedWhenTheLatestIsAsLateAsABareTimersAllowsIsEmpty() {
        // a round in which the machine stood still disturbs both
        run("W3", "delayqueue", 1, Map.of("max", 20.0));
        run("W3", "delayqueue", 2, Map.of("max", 214.0));
        run("W3", "delayqueue", 3, Map.of("max", 18.0));
        run("W3", "bare-timer", 1, Map.of("max", 5.0));
        run("W3", "bare-timer", 2, Map.of("max", 200.0));
        run("W3", "bare-timer", 3, Map.of("max", 4.0));

        assertThat(Targets.missed(runs)).isEmpty();
    }

    @Test
    void missedWhenSchedulingIsSlowerThanWhatTwoBareCommandsAllowNamesTheRows() {
        run("W1", "delayqueue", 1, Map.of("1 thread", 99.0, "8 threads", 119.0, "batches of 500", 64.0));
        run("W1", "bare-redis", 1, Map.of("1 thread", 100.0, "8 threads", 100.0, "batches of 500", 100.0));
        run("W1", "redisson", 1, Map.of("1 thread", 98.0, "8 threads", 119.0, "batches of 500", 64.0));
        run("W1", "loop", 1, Map.of("1 thread", 1000.0, "8 threads", 1000.0, "batches of 500", 1000.0));

        assertThat(Targets.missed(runs))
                .containsExactly(
                        "W1, 1 thread: 0.99, must be >= 1 x bare-redis",
                        "W1, 8 threads: 1.19, must be >= 1.20 x bare-redis",
                        "W1, batches of 500: 0.64, must be >= 0.65 x bare-redis");
    }

    @Test
    void missedWhenForwardingIsTooSlowNamesTheRowsWithAndWithoutAConsumer() {
        String classic = "50,000 due at once, classic queue";
        run("W2c", "delayqueue", 1, Map.of(classic, 64.0, classic + " with a consumer", 109.0));
        run("W2c", "bare-confirms-told", 1, Map.of(classic, 100.0, classic + " with a consumer", 300.0));
        run("W2c", "loop", 1, Map.of(classic, 300.0, classic + " with a consumer", 100.0));

        assertThat(Targets.missed(runs))
                .containsExactly(
                        "W2c, " + classic + ": 0.64, must be >= 0.65 x bare-confirms-told",
                        "W2c, " + classic + " with a consumer: 1.09, must be >= 1.10 x loop");
    }

    @Test
    void missedWhenFourProcessesTakeMuchMoreProcessorTimeThanOneNamesTheRow() {
        String one = "CPU of all a task, 1 processes, 4 shards";
        run("W8", "delayqueue", 1, Map.of(one, 20.0, "CPU of all a task, 4 processes, 4 shards", 28.2));

        assertThat(Targets.missed(runs))
                .containsExactly(
                        "W8, CPU of all a task, 4 processes, 4 shards: 1.41, must be <= 1.40 x its own " + one);
    }

    @Test
    void missedWhenFourProcessesTakeMuchMoreWithoutTheirCompilersOnlyShowsIt() {
        Map<String, Double> metrics = new HashMap<>();
        for (int processes : new int[] {1, 4}) {
            String name = ", " + processes + " processes, 4 shards";
            metrics.put("CPU of the JVMs a task" + name, 100.0);
            metrics.put("compilers' part of it" + name, processes == 1 ? 95.0 : 5.0);
            metrics.put("CPU of all a task" + name, 105.0);
        }
        run("W8", "delayqueue", 1, metrics);

        assertThat(Targets.missed(runs)).isEmpty();
        String butCompilers = "CPU of all but the compilers a task, ";
        assertThat(report())
                .contains(
                        "| W8 | " + butCompilers + "4 processes, 4 shards | 100 | 10 | 10 | 10 | 10 | none, x its own "
                                + butCompilers + "1 processes, 4 shards |  |")
                .contains("| W8 | " + butCompilers
                        + "4 processes, 4 shards | delayqueue | 100 | 100 | 100 | us a task |");
    }

    @Test
    void missedWhenObservedAndIdleSendsTooManyCommandsNamesTheRow() {
        run("W4", "delayqueue-observed", 1, Map.of("1 queue: commands", 1.6));

        assertThat(Targets.missed(runs))
                .containsExactly("W4, 1 queue: commands, delayqueue-observed: 1.60, must be <= 1.50");
    }

    @Test
    void missedWhenAWorkloadWasMeasuredOnAnotherLibraryThanTheLastDoesNotJudgeIt() {
        of("3806a1d1", 1, "W5", Map.of("bytes a task", 461.0));
        of("9f1b22c0", 2, "W9", Map.of("p99", 21.0));
        of("77aa0be1", 0, "W14", Map.of("rate", 1.0));
        of("3806a1d1", 1, "W15", Map.of("queries", 2.0));

        assertThat(Targets.missed(runs)).containsExactly("W9, p99: 21, must be <= 20");
        assertThat(report())
                .contains("| W5 | bytes a task | 461 |  | 461 | 461 | 461 | <= 460 | not judged |")
                .contains("\nNot measured on library 9f1b22c0, which is the last, and so not judged:"
                        + " W5, W15 (3806a1d1); W14 (77aa0be1).\n");
    }

    @Test
    void missedWhenTheOutboxIsAnotherStillJudgesWhatRunsWithoutIt() {
        of("3806a1d1", 1, "W5", Map.of("bytes a task", 461.0));
        of("3806a1d1", 2, "W14", Map.of("rate", 1.0));
        of("3806a1d1/9f1b22c0", 3, "W15", Map.of("queries", 2.0));

        assertThat(Targets.missed(runs))
                .containsExactly("W5, bytes a task: 461, must be <= 460", "W15, queries: 2, must be <= 1");
        assertThat(report())
                .contains("\nNot measured on library 3806a1d1/9f1b22c0, which is the last, and so not judged:"
                        + " W14 (3806a1d1).\n");
    }

    @Test
    void missedWhenAllButTheOutboxIsAnotherJudgesNothingOfBefore() {
        of("3806a1d1/9f1b22c0", 1, "W15", Map.of("queries", 2.0));
        of("77aa0be1", 2, "W5", Map.of("bytes a task", 461.0));

        assertThat(Targets.missed(runs)).containsExactly("W5, bytes a task: 461, must be <= 460");
        assertThat(report())
                .contains("\nNot measured on library 77aa0be1, which is the last, and so not judged:"
                        + " W15 (3806a1d1/9f1b22c0).\n");
    }

    @Test
    void missedWhenItIsMissedByLittleShowsSo() {
        ratios(0.8998);

        assertThat(Targets.missed(runs)).containsExactly("W6, 100,000 pending: 0.8998, must be >= 0.90 x loop");
        assertThat(report()).contains("| 0.8998 | 0.8998 | 0.8998 | >= 0.90 x loop | **miss** |");
    }

    @Test
    void missedWhenTheBoundIsBetweenTheQuartilesSaysThatItIsUndecided() {
        ratios(0.80, 0.88, 0.89, 0.93, 0.95);

        assertThat(Targets.missed(runs))
                .containsExactly("W6, 100,000 pending: 0.89, must be >= 0.90 x loop (undecided)");
        assertThat(report()).contains("| 0.89 | 0.80 | 0.95 | >= 0.90 x loop | **miss** (undecided) |");
    }

    @Test
    void missedWhenTheBoundIsBetweenTheQuartilesAndTheMedianMeetsItIsEmpty() {
        ratios(0.80, 0.88, 0.91, 0.93, 0.95);

        assertThat(Targets.missed(runs)).isEmpty();
        assertThat(report()).contains("| 0.91 | 0.80 | 0.95 | >= 0.90 x loop | pass (undecided) |");
    }

    @Test
    void missedWhenThreeOfFourRatiosMeetTheBoundIsDecided() {
        ratios(0.80, 0.90, 0.91, 0.93, 0.95);

        assertThat(report()).contains("| 0.91 | 0.80 | 0.95 | >= 0.90 x loop | pass |");
    }

    @Test
    void mergeKeepsOtherWorkloadsAndReplacesTheSame(@TempDir Path folder) {
        ResultFile file = new ResultFile(folder.resolve("new").resolve("results.json"));
        run("W1", "loop", 1, Map.of("1 thread", 1.0));
        run("W6", "loop", 1, Map.of("100,000 pending", 2.0));
        file.merge(runs, Map.of("date", "today"));
        runs.clear();
        run("W1", "loop", 1, Map.of("1 thread", 3.0));

        List<Run> merged = file.merge(runs, Map.of("date", "today"));

        assertThat(merged).isEqualTo(file.read());
        assertThat(merged)
                .extracting(run -> run.workload() + run.outcome().metrics())
                .containsExactly("W1{1 thread=3.0}", "W6{100,000 pending=2.0}");
    }

    private String report() {
        return new Report(runs, Map.of("date", "today")).text("Results", List.of());
    }

    private void of(String library, int second, String workload, Map<String, Double> metrics) {
        Instant at = Instant.ofEpochSecond(second);
        runs.add(new Run(workload, "delayqueue", Run.NONE, 1, library, "480af39f", at, 0, 0, outcome(metrics)));
    }

    private void ratios(double... ratios) {
        for (int round = 1; round <= ratios.length; round++) {
            run("W6", "delayqueue", round, Map.of("100,000 pending", 1000 * ratios[round - 1]));
            run("W6", "loop", round, Map.of("100,000 pending", 1000.0));
        }
    }

    private void add(String workload, String subject, String variant, Outcome outcome) {
        runs.add(new Run(workload, subject, variant, 1, "3806a1d1", "480af39f", Instant.EPOCH, 0, 0, outcome));
    }

    private void run(String workload, String subject, int round, Map<String, Double> metrics) {
        runs.add(new Run(
                workload, subject, Run.NONE, round, "3806a1d1", "480af39f", Instant.EPOCH, 0, 0, outcome(metrics)));
    }

    private static Outcome outcome(Map<String, Double> metrics) {
        return new Outcome(metrics, 1, 1, List.of(), Map.of(), 0, 0);
    }
}
