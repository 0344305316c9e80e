// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import io.delayqueue.benchmarks.result.Outcome;
import io.delayqueue.benchmarks.subject.Subjects;
import io.delayqueue.benchmarks.workload.Setting;
import io.delayqueue.benchmarks.workload.Turns;
import io.delayqueue.test.server.ProcessGuard;
import io.delayqueue.test.server.TestDatabase;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** A JVM for one run: the same Java, class path and heap for every subject. */
final class ChildProcess implements AutoCloseable {

    /** The heap of every subject. */
    static final String HEAP = "-Xmx1g";

    /** The system property with the class path of Rqueue and the Spring generation that it needs. */
    static final String RQUEUE_CLASS_PATH = "benchmark.rqueue";

    /** The system property with the class path of meters and tracers. */
    static final String OBSERVED_CLASS_PATH = "benchmark.observed";

    /** The system property with the class path of all starters whose start is measured. */
    static final String STARTERS_CLASS_PATH = "benchmark.starters";

    private final Path folder;
    private final Process process;

    ChildProcess(Setting setting, TurnOrder order) {
        this.folder = order.folder();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "-Djava.awt.headless=true",
                "-Dio.netty.tryReflectionSetAccessible=true",
                "-D" + Turns.FILE + "=" + order.turns(),
                "-D" + Turns.NUMBER + "=" + order.number()));
        for (String name : List.of(STARTERS_CLASS_PATH, Subjects.NODE_FOLDER)) {
            String value = System.getProperty(name);
            if (value != null) {
                command.add("-D" + name + "=" + value);
            }
        }
        URI rabbit = setting.place().rabbit();
        command.addAll(List.of(
                "-cp",
                classPath(setting.subject()),
                Child.class.getName(),
                setting.workload(),
                setting.subject(),
                String.valueOf(setting.quick()),
                setting.place().redis().toString(),
                String.valueOf(setting.place().cluster()),
                (rabbit == null) ? "-" : rabbit.toString(),
                String.valueOf(setting.place().rabbitPid()),
                outcomeFile().toString()));
        TestDatabase database = setting.place().database();
        if (database != null) {
            command.addAll(List.of(database.jdbcUrl(), database.user(), database.password()));
        }
        try {
            Files.createDirectories(folder);
            Files.deleteIfExists(outcomeFile());
            this.process = ProcessGuard.start(new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(log().toFile())
                    .redirectErrorStream(true));
        } catch (IOException ex) {
            throw new UncheckedIOException("A JVM could not be started", ex);
        }
    }

    private static String classPath(String subject) {
        String property = Subjects.isRqueue(subject)
                ? RQUEUE_CLASS_PATH
                : Subjects.isMeasured(subject) ? OBSERVED_CLASS_PATH : "java.class.path";
        return System.getProperty(property);
    }

    boolean isRunning() {
        return process.isAlive();
    }

    /** Returns whether the JVM has ended without an outcome. */
    boolean hasFailed() {
        return !process.isAlive() && process.exitValue() != 0;
    }

    /** Returns the measurements. If the JVM still runs, ends it and ignores its measurements. */
    Outcome outcome() throws InterruptedException {
        boolean broken = process.isAlive();
        kill();
        process.waitFor();
        if (broken) {
            return Outcome.failed("broken off: the time was up");
        }
        if (!Files.exists(outcomeFile())) {
            return Outcome.failed("exit code " + process.exitValue() + ", see " + log() + ": " + lastLine());
        }
        return new JsonMapper().readValue(outcomeFile(), Outcome.class);
    }

    private Path outcomeFile() {
        return folder.resolve("outcome.json");
    }

    private Path log() {
        return folder.resolve("log");
    }

    private String lastLine() {
        try {
            return Files.readAllLines(log()).stream()
                    .filter(line -> line.contains("Exception") || line.contains("Error"))
                    .reduce((first, last) -> last)
                    .orElse("no message");
        } catch (IOException ex) {
            return "no log";
        }
    }

    @Override
    public void close() {
        kill();
    }

    /** Kills the process and its descendants, which would outlive it. */
    private void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
