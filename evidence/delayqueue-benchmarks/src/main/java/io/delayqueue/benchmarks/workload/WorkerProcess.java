// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.test.server.ProcessGuard;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Predicate;

/** A {@link Worker} and the communication with it. */
final class WorkerProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Process process;
    private final BufferedReader output;
    private WorkerReport last = WorkerReport.NONE;
    private long handled;

    WorkerProcess(String subject, Place place, int shards, String keys) {
        try {
            this.process = ProcessGuard.start(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx512m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Worker.class.getName(),
                            subject,
                            place.redis().toString(),
                            String.valueOf(place.cluster()),
                            String.valueOf(shards),
                            keys)
                    .redirectError(ProcessBuilder.Redirect.INHERIT));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    void awaitReady() {
        lineThat(line -> line.equals(Worker.READY));
    }

    /** Makes the worker count these tasks from now on. */
    void begin(long first, int count) {
        say("begin " + first + " " + count);
        awaitReady();
    }

    WorkerReport report() {
        say("report");
        last = WorkerReport.of(lineThat(WorkerReport::isLine));
        handled += last.tally().arrived();
        return last;
    }

    /**
     * Returns whether the worker has handled this number of tasks since its start and its compilers were almost idle at
     * its last report.
     */
    boolean isWarm(int enough) {
        return handled >= enough && !last.effort().isCompiling();
    }

    private void say(String line) {
        try {
            process.outputWriter(StandardCharsets.UTF_8)
                    .append(line)
                    .append('\n')
                    .flush();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Returns the next line for this process; other lines are the application's log. */
    private String lineThat(Predicate<String> wanted) {
        Deadline deadline = new Deadline(process, PATIENCE);
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (wanted.test(line)) {
                    return line;
                }
                System.err.println(line);
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        } finally {
            deadline.lift();
        }
        throw new IllegalStateException("A worker ended, or said nothing for " + PATIENCE.toSeconds() + " s");
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
