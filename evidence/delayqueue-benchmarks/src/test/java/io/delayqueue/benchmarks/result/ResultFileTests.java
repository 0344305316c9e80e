// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFileTests {

    private static final Outcome OUTCOME = new Outcome(Map.of("rate", 1.0), 1, 1, List.of(), Map.of(), 0, 0);

    private ResultFile file;

    @TempDir
    private Path folder;

    @BeforeEach
    void setUp() {
        file = new ResultFile(folder.resolve("docs").resolve("results.jsonl"));
    }

    @Test
    void mergeWhenTheLibraryIsTheSameReplacesTheRunOfTheSameRoundAndKeepsTheRest() {
        Run loop = run("W1", "loop", 1, "3806a1d1");
        Run second = run("W1", "delayqueue", 2, "3806a1d1");
        Run other = run("W2a", "delayqueue", 1, "3806a1d1");
        Run failed = new Run(
                "W1", "delayqueue", Run.NONE, 1, "3806a1d1", "480af39f", Instant.EPOCH, 0, 0, Outcome.failed("killed"));
        file.merge(List.of(failed, second, loop, other), Map.of());
        Run anew = run("W1", "delayqueue", 1, "3806a1d1");

        file.merge(List.of(anew), Map.of());

        assertThat(file.read()).containsExactlyInAnyOrder(anew, second, loop, other);
    }

    @Test
    void mergeWhenWhatMeasuresIsAnotherKeepsNothingOfTheWorkload() {
        Run other = run("W2a", "loop", 1, "3806a1d1");
        file.merge(List.of(run("W1", "loop", 1, "3806a1d1"), other), Map.of());
        Run anew = new Run("W1", "redisson", Run.NONE, 1, "3806a1d1", "0b5f6c11", Instant.EPOCH, 0, 0, OUTCOME);

        file.merge(List.of(anew), Map.of());

        assertThat(file.read()).containsExactly(anew, other);
    }

    @Test
    void forgetDropsTheseAndKeepsTheRestAndTheMachine() {
        Run other = run("W2a", "loop", 1, "3806a1d1");
        file.merge(List.of(run("W1", "loop", 1, "3806a1d1"), other), Map.of("memory", "24 GB"));

        file.forget(run -> run.workload().equals("W1"));

        assertThat(file.read()).containsExactly(other);
        assertThat(folder.resolve("docs").resolve("results.jsonl")).content().contains("24 GB");
        assertThat(folder.resolve("docs")).isDirectoryNotContaining("glob:**.unfinished");
    }

    @Test
    void mergeWhenTheLibraryIsAnotherKeepsNothingOfTheWorkload() {
        Run other = run("W2a", "delayqueue", 1, "3806a1d1");
        file.merge(List.of(run("W1", "delayqueue", 1, "3806a1d1"), run("W1", "loop", 1, "3806a1d1"), other), Map.of());
        Run anew = run("W1", "delayqueue", 1, "9f1b22c0");

        file.merge(List.of(anew), Map.of());

        assertThat(file.read()).containsExactly(anew, other);
    }

    @Test
    void mergeWhenTheOutboxIsAnotherKeepsNothingOfTheWorkload() {
        Run other = run("W1", "delayqueue", 1, "3806a1d1");
        file.merge(List.of(run("W12", "loop", 1, "3806a1d1/9f1b22c0"), other), Map.of());
        Run anew = run("W12", "delayqueue", 1, "3806a1d1/77aa0be1");

        file.merge(List.of(anew), Map.of());

        assertThat(file.read()).containsExactly(other, anew);
    }

    @Test
    void mergeWhenAllButTheOutboxWasChangedSinceItWasCommittedKeepsNothingOfTheWorkload() {
        file.merge(List.of(run("W12", "loop", 1, "3806a1d1+/9f1b22c0")), Map.of());
        Run anew = run("W12", "delayqueue", 1, "3806a1d1+/9f1b22c0");

        file.merge(List.of(anew), Map.of());

        assertThat(file.read()).containsExactly(anew);
    }

    @Test
    void readWhenARunHasSamplesKeepsTheirOrder() {
        Outcome outcome = new Outcome(
                Map.of("rate", 2.0), Map.of("rate", List.of(3.0, 1.0, 2.0)), 1, 1, List.of(), Map.of(), 0, 0);
        file.merge(
                List.of(new Run("W1", "loop", Run.NONE, 1, "3806a1d1", "480af39f", Instant.EPOCH, 0, 0, outcome)),
                Map.of());

        assertThat(file.read()).extracting(Run::outcome).containsExactly(outcome);
    }

    private static Run run(String workload, String subject, int round, String library) {
        return new Run(workload, subject, Run.NONE, round, library, "480af39f", Instant.EPOCH, 0, 0, OUTCOME);
    }
}
