// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Of runs that failed, measured nothing, or were not there. */
class TargetsOfFailedRunsTests {

    private final List<Run> runs = new ArrayList<>();

    @Test
    void missedWhenThePeerTookNoPartIsEmpty() {
        run("W6", "delayqueue", 1, Map.of("100,000 pending", 900.0));
        run("W6", "redisson", 1, Map.of("100,000 pending", 900.0));

        assertThat(Targets.missed(runs)).isEmpty();
    }

    @Test
    void missedWhenThePeerFailedNamesTheRow() {
        run("W6", "delayqueue", 1, Map.of("100,000 pending", 900.0));
        failed("W6", "loop", 1, Map.of());

        assertThat(Targets.missed(runs)).containsExactly("W6, 100,000 pending: not measured, must be >= 0.90 x loop");
    }

    @Test
    void missedWhenARunOfThisLibraryFailedNamesIt() {
        add("W5", "delayqueue", Run.NONE, Outcome.failed("exit code 3"));

        assertThat(Targets.missed(runs)).contains("W5, delayqueue, round 1: exit code 3");
    }

    @Test
    void missedWhenOnlyAPeerFailedIsEmpty() {
        add("W2b", "redisson", Run.NONE, Outcome.failed("679 of 200000 tasks"));

        assertThat(Targets.missed(runs)).isEmpty();
        assertThat(report()).contains("- W2b, redisson, round 1: 679 of 200000 tasks");
    }

    @Test
    void missedWhenThisLibraryFailedAltogetherNamesAllItsTargets() {
        failed("W9", "delayqueue", 1, Map.of());

        assertThat(Targets.missed(runs))
                .containsExactly(
                        "W9, delayqueue, round 1: 0 of 1 tasks",
                        "W9, p99: not measured, must be <= 20",
                        "W9, early: not measured, must be <= 0",
                        "W9, threads: not measured, must be <= 99");
    }

    @Test
    void missedWhenWhatObservesFailedNamesItAndItsTargets() {
        run("W4", "delayqueue", 1, Map.of("1 queue: commands", 0.2));
        failed("W4", "delayqueue-observed", 1, Map.of());

        assertThat(Targets.missed(runs))
                .containsExactly(
                        "W4, delayqueue-observed, round 1: 0 of 1 tasks",
                        "W4, 1 queue: commands, delayqueue-observed: not measured, must be <= 1.50");
    }

    @Test
    void missedWhenItFailedAndThePeerTellsTheSizeNamesTheTargetsOfThatSize() {
        run("W16", "delayqueue-plain", 1, Map.of("30,000 due at once", 100.0));
        run("W16", "delayqueue-metrics", 1, Map.of("30,000 due at once", 99.0));
        failed("W16", "delayqueue-traced", 1, Map.of());

        assertThat(Targets.missed(runs))
                .containsExactly(
                        "W16, delayqueue-traced, round 1: 0 of 1 tasks",
                        "W16, 30,000 due at once, delayqueue-traced: not measured, must be >= 0.95 x delayqueue-plain");
    }

    @Test
    void missedWhenItFailedOnOneRedisNamesNoTargetOfAnother() {
        add("W6", "delayqueue", Run.EVERYSEC, outcome(Map.of("100,000 pending", 10.0)));
        add("W6", "loop", Run.EVERYSEC, outcome(Map.of("100,000 pending", 10.0)));
        add("W6", "delayqueue", Run.NONE, Outcome.failed("exit code 3"));
        add("W6", "loop", Run.NONE, outcome(Map.of("100,000 pending", 10.0)));

        assertThat(Targets.missed(runs))
                .containsExactly(
                        "W6, delayqueue, round 1: exit code 3",
                        "W6, 100,000 pending: not measured, must be >= 0.90 x loop");
    }

    @Test
    void missedWhenARunOfThePeerHadProblemsGoesByTheOtherRounds() {
        run("W6", "delayqueue", 1, Map.of("100,000 pending", 800.0));
        run("W6", "delayqueue", 2, Map.of("100,000 pending", 800.0));
        run("W6", "loop", 1, Map.of("100,000 pending", 1000.0));
        failed("W6", "loop", 2, Map.of("100,000 pending", 10.0));

        assertThat(Targets.missed(runs)).containsExactly("W6, 100,000 pending: 0.80, must be >= 0.90 x loop");
    }

    @Test
    void missedWhenTheOnlyRunOfThisLibraryHadProblemsNamesItAndTheRow() {
        failed("W5", "delayqueue", 1, Map.of("bytes a task", 1.0));

        assertThat(Targets.missed(runs))
                .containsExactly(
                        "W5, delayqueue, round 1: 0 of 1 tasks", "W5, bytes a task: not measured, must be <= 460");
        assertThat(report())
                .contains("| W5 | bytes a task | not measured |  | not measured |  |  | <= 460 | **miss** |");
    }

    @Test
    void missedWhenThePeersValueIsZeroNamesTheRow() {
        run("W6", "delayqueue", 1, Map.of("100,000 pending", 900.0));
        run("W6", "loop", 1, Map.of("100,000 pending", 0.0));

        assertThat(Targets.missed(runs)).containsExactly("W6, 100,000 pending: not measured, must be >= 0.90 x loop");
    }

    @Test
    void missedWhenAValueIsNoNumberNamesTheRow() {
        run("W6", "delayqueue", 1, Map.of("100,000 pending", Double.POSITIVE_INFINITY));
        run("W6", "loop", 1, Map.of("100,000 pending", 1000.0));

        assertThat(Targets.missed(runs)).containsExactly("W6, 100,000 pending: not measured, must be >= 0.90 x loop");
    }

    @Test
    void missedWhenNoRoundHasBothNamesTheRow() {
        run("W6", "delayqueue", 1, Map.of("100,000 pending", 1000.0));
        run("W6", "loop", 2, Map.of("100,000 pending", 1000.0));

        assertThat(Targets.missed(runs)).containsExactly("W6, 100,000 pending: not measured, must be >= 0.90 x loop");
    }

    private String report() {
        return new Report(runs, Map.of("date", "today")).text("Results", List.of());
    }

    private void add(String workload, String subject, String variant, Outcome outcome) {
        runs.add(new Run(workload, subject, variant, 1, "3806a1d1", "480af39f", Instant.EPOCH, 0, 0, outcome));
    }

    private void failed(String workload, String subject, int round, Map<String, Double> metrics) {
        Outcome outcome = new Outcome(metrics, 1, 0, List.of("0 of 1 tasks"), Map.of(), 0, 0);
        runs.add(new Run(workload, subject, Run.NONE, round, "3806a1d1", "480af39f", Instant.EPOCH, 0, 0, outcome));
    }

    private void run(String workload, String subject, int round, Map<String, Double> metrics) {
        runs.add(new Run(
                workload, subject, Run.NONE, round, "3806a1d1", "480af39f", Instant.EPOCH, 0, 0, outcome(metrics)));
    }

    private static Outcome outcome(Map<String, Double> metrics) {
        return new Outcome(metrics, 1, 1, List.of(), Map.of(), 0, 0);
    }
}
