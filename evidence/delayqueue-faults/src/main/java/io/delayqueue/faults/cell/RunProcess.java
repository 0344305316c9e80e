// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.test.server.ProcessGuard;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes runs in separate JVMs, so that concurrent runs share only the machine, and each run has the servers that its
 * cell names. The output goes to a log beside the folder of the run.
 */
public final class RunProcess {

    /** The maximum time of a run in addition to twice its length: servers start, and remaining tasks are delivered. */
    private static final Duration AT_MOST = Duration.ofMinutes(12);

    private static final Duration END = Duration.ofSeconds(60);

    private final JsonMapper json = new JsonMapper();

    /**
     * Makes a run, and returns when all processes that it started have ended. If the run cannot be made, the outcome
     * contains the reason.
     */
    public Outcome run(RunOrder order) throws InterruptedException {
        Path folder = order.options().folder();
        Path orderFile = folder.resolve(order.name() + ".order.json");
        Path outcome = folder.resolve(order.name() + ".outcome.json");
        Path log = folder.resolve(order.name() + ".log");
        try {
            Files.createDirectories(folder);
            Files.deleteIfExists(outcome);
            json.writeValue(orderFile, order);
            ProcessBuilder builder = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx768m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            OneRun.class.getName(),
                            orderFile.toString(),
                            outcome.toString()))
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(log.toFile())
                    .redirectErrorStream(true);
            builder.environment().putAll(ServerCells.environment(order.cell()));
            await(ProcessGuard.start(builder), order.options().length());
            return Files.exists(outcome)
                    ? json.readValue(outcome, Outcome.class)
                    : Outcome.failed(order.name(), "it did not come to its end, see " + log);
        } catch (IOException | IllegalStateException ex) {
            return Outcome.failed(order.name(), ex.toString());
        }
    }

    private static void await(Process process, Duration length) throws InterruptedException {
        Thread hook = new Thread(() -> end(process));
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            process.waitFor(length.multipliedBy(2).plus(AT_MOST).toSeconds(), TimeUnit.SECONDS);
        } finally {
            end(process);
        }
        removeHook(hook);
    }

    /** @throws InterruptedException if this JVM ends; the files of the run then prove nothing */
    private static void removeHook(Thread hook) throws InterruptedException {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            throw new InterruptedException("This JVM ends");
        }
    }

    /** Ends the process with SIGTERM, so that it also ends its applications. */
    private static void end(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException ex) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
