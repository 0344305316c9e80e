// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PairsTests {

    private final List<Run> runs = new ArrayList<>();

    @Test
    void ratiosWhenSubjectsTookTurnsAreThoseOfTheTurnsOfAllRounds() {
        run("W1", "delayqueue", 1, List.of(10.0, 40.0, 90.0));
        run("W1", "loop", 1, List.of(10.0, 20.0, 30.0));
        run("W1", "delayqueue", 2, List.of(40.0, 50.0, 60.0));
        run("W1", "loop", 2, List.of(10.0, 10.0, 10.0));

        assertThat(pairs("W1").ratios()).containsExactly(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
        assertThat(pairs("W1").differences()).containsExactly(0.0, 20.0, 60.0, 30.0, 40.0, 50.0);
    }

    @Test
    void ratiosWhenTurnsWereNotKeptAreThoseOfTheRounds() {
        run("W1", "delayqueue", 1, List.of(10.0, 40.0, 90.0));
        runs.add(new Run(
                "W1", "loop", Run.NONE, 1, "3806a1d1", "480af39f", Instant.EPOCH, 0, 0, outcome(10.0, Map.of())));

        assertThat(pairs("W1").ratios()).containsExactly(4.0);
    }

    @Test
    void ratiosWhenOneOfThemHadFewerTurnsAreThoseOfTheRounds() {
        run("W1", "delayqueue", 1, List.of(10.0, 40.0, 90.0));
        run("W1", "loop", 1, List.of(10.0));

        assertThat(pairs("W1").ratios()).containsExactly(4.0);
    }

    @Test
    void ratiosWhenSubjectsWereThereOneAfterTheOtherAreThoseOfTheRounds() {
        run("W2a", "delayqueue", 1, List.of(10.0, 40.0, 90.0));
        run("W2a", "loop", 1, List.of(10.0, 20.0, 30.0));

        assertThat(pairs("W2a").ratios()).containsExactly(2.0);
    }

    @Test
    void ratiosWhenTheOtherDidNothingInATurnLeaveItOut() {
        run("W16", "delayqueue", 1, List.of(10.0, 40.0, 90.0));
        run("W16", "loop", 1, List.of(0.0, 20.0, 30.0));

        assertThat(pairs("W16").ratios()).containsExactly(2.0, 3.0);
    }

    private Pairs pairs(String workload) {
        Results results = new Results(runs);
        return new Pairs(results.measured(workload, "delayqueue", "rate"), results.measured(workload, "loop", "rate"));
    }

    private void run(String workload, String subject, int round, List<Double> samples) {
        Outcome outcome = outcome(Summary.of(samples).median(), Map.of("rate", samples));
        runs.add(new Run(workload, subject, Run.NONE, round, "3806a1d1", "480af39f", Instant.EPOCH, 0, 0, outcome));
    }

    private static Outcome outcome(double rate, Map<String, List<Double>> samples) {
        return new Outcome(Map.of("rate", rate), samples, 1, 1, List.of(), Map.of(), 0, 0);
    }
}
