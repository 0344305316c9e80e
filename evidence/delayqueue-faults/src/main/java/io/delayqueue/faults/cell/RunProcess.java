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
 * Makes runs in JVMs of their own, so that several at a time share nothing but the machine, and each has the servers
 * that its cell names. What they write goes to a log beside their folders.
 */
public final class RunProcess {

    /** Beside twice its length, what a run may take: servers start, and what is left is delivered. */
    private static final Duration AT_MOST = Duration.ofMinutes(12);

    private static final Duration END = Duration.ofSeconds(60);

    private final JsonMapper json = new JsonMapper();

    /** Makes a run, and returns when all that it started has ended. A run that cannot be made is an outcome, too. */
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

    /** @throws InterruptedException if this JVM ends: then what the run left says nothing */
    private static void removeHook(Thread hook) throws InterruptedException {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            throw new InterruptedException("This JVM ends");
        }
    }

    /** In good order, so that it takes its applications with it. */
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
