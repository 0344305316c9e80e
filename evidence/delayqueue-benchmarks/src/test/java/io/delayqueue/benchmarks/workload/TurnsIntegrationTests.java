// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** File locks are those of a process, so there are processes. */
class TurnsIntegrationTests {

    @TempDir
    Path folder;

    @Test
    void takeWhenSeveralProcessesDoLetsOneAfterTheOther() throws Exception {
        List<Process> processes = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                processes.add(taker("p" + i));
            }
            for (Process process : processes) {
                assertThat(process.waitFor()).isZero();
            }
        } finally {
            processes.forEach(Process::destroyForcibly);
        }

        List<String> lines = Files.readAllLines(folder.resolve("log"));
        assertThat(lines).hasSize(3 * 2 * Taker.TURNS);
        for (int i = 0; i < lines.size(); i += 2) {
            assertThat(lines.get(i)).startsWith("begin ");
            assertThat(lines.get(i + 1)).isEqualTo(lines.get(i).replace("begin", "end"));
        }
    }

    @Test
    void awaitAllWhenOneHasLeftDoesNotWaitForIt() throws Exception {
        Process first = taker("first");
        Process second = taker("second");
        try {
            await().ignoreExceptions().until(() -> Files.size(folder.resolve("turns")) == 2);
            assertThat(folder.resolve("log")).doesNotExist();

            Turns.leave(folder.resolve("turns"));

            assertThat(first.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(second.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readAllLines(folder.resolve("log"))).hasSize(2 * 2 * Taker.TURNS);
        } finally {
            first.destroyForcibly();
            second.destroyForcibly();
        }
    }

    private Process taker(String name) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Taker.class.getName(),
                        folder.toString(),
                        name)
                .inheritIO()
                .start();
    }

    /** Waits for two others, and notes when its turns begin and end. */
    static final class Taker {

        static final int TURNS = 3;

        private Taker() {}

        public static void main(String[] arguments) throws Exception {
            Path folder = Path.of(arguments[0]);
            Path log = folder.resolve("log");
            try (Turns turns = Turns.open(folder.resolve("turns"), 3)) {
                turns.awaitAll();
                for (int i = 0; i < TURNS; i++) {
                    turns.take(() -> {
                        note(log, "begin " + arguments[1]);
                        Thread.sleep(20);
                        note(log, "end " + arguments[1]);
                    });
                }
            }
        }

        private static void note(Path log, String line) throws IOException {
            Files.writeString(
                    log,
                    line + "\n",
                    StandardCharsets.UTF_8,
                    java.nio.file.StandardOpenOption.CREATE,
                    java.nio.file.StandardOpenOption.APPEND);
        }
    }
}
