// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the report that {@code scripts/report} creates from the records of a run, complete or interrupted. */
class SoakReportIntegrationTests {

    private static final Judgement KEPT = new Judgement(10, 1, 8, 0, 2, 0, 0, 1, 0, List.of());
    private static final Disturbance FAULT = new Disturbance("redis-kill", "Redis is killed", 60_000_000, 75_000_000L);

    @TempDir
    private Path folder;

    private SoakRecord record = new SoakRecord(Path.of("."));

    @BeforeEach
    void begin() throws IOException {
        record = new SoakRecord(folder);
        record.begin();
        record.write(new RunFacts(0, 240, 60, 7, Map.of("commit", "abc", "begun", "2026-01-31")));
        record.write(new Disturbance(FAULT.name(), FAULT.description(), FAULT.from(), null));
        lateness(60, 20_000);
    }

    @Test
    void runWhenAllIsWellIsFlat() throws Exception {
        samples(40, 40);
        record.write(FAULT);
        record.write(KEPT);
        assertThat(report())
                .contains(
                        "soak: passed",
                        "| 10 | 1 | 8 | 0 | 2 | 0 | 0 | 1 / 0 |",
                        "| threads | 40 | 40 | 5% and 3 | flat |",
                        "| 0 to 1 | 2 | 3.3 | 20.0 | 20.0 | 2 | 3.3 | 20.0 | 20.0 |",
                        "| 1 | `redis-kill` | Redis is killed | 15 |",
                        "exit code 0")
                .anyMatch(line -> line.contains("on commit `abc`: **passed**"));
    }

    @Test
    void problemsAreNamed() throws Exception {
        samples(40, 60);
        lateness(60, 251_000);
        record.write(new Judgement(10, 1, 8, 0, 2, 1, 0, 1, 0, List.of("LOST")));
        assertThat(report())
                .contains(
                        "soak: the checker found LOST",
                        "soak: threads grew from 40 in the second quarter to 60 in the last; allowed are 5% and 3",
                        "soak: slice 2 of 1 minutes: p99 of 251 ms outside of faults, more than 250 ms",
                        "soak: redis-kill did not end",
                        "exit code 1");
    }

    @Test
    void runThatWasBrokenOffIsNotWell() throws Exception {
        samples(40, 40);
        record.write(FAULT);
        Files.writeString(folder.resolve("samples.jsonl"), "{\"micros\":7,\"pro", StandardOpenOption.APPEND);
        assertThat(report()).contains("soak: the run was aborted after 4 minutes; lost tasks were not checked");
    }

    @Test
    void runThatWasNeverBegunIsSaidNotToBeThere() throws Exception {
        record.begin();
        assertThat(report()).contains("soak: there is no run", "exit code 1");
    }

    private void samples(long threads, long threadsInTheEnd) {
        for (long i = 0; i <= 24; i++) {
            long now = i > 17 ? threadsInTheEnd : threads;
            record.write(new Sample(
                    i * 10_000_000,
                    List.of(new Sample.OfProcess(0, 7, 8L, now, 10, 11)),
                    new Sample.OfRedis(1, 2, 3, 4),
                    5L));
        }
    }

    private void lateness(int seconds, long p99) throws IOException {
        String late = "{\"count\":2,\"p50Micros\":3300,\"p99Micros\":%1$d,\"maxMicros\":%1$d}".formatted(p99);
        Files.writeString(
                folder.resolve("lateness.jsonl"),
                "{\"seconds\":%d,\"calm\":%s,\"all\":%s}\n".formatted(seconds, late, late),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private List<String> report() throws Exception {
        Process process = new ProcessBuilder("../../scripts/report", "soak", "--print", "--folder", folder.toString())
                .redirectErrorStream(true)
                .start();
        List<String> lines =
                new java.util.ArrayList<>(process.inputReader().lines().toList());
        lines.add("exit code " + process.waitFor());
        return lines;
    }
}
