// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import io.delayqueue.test.server.ProcessGuard;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An application in a separate JVM, which can be killed. It ends with this JVM at the latest. */
public final class ApplicationProcess implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofMinutes(5);

    private final Process process;
    private final Path log;

    private ApplicationProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts the main class on the class path of this JVM. Its output goes to a temporary file. */
    public static ApplicationProcess start(Class<?> main, List<String> arguments) {
        try {
            Path log = Files.createTempFile("delayqueue-application-", ".log");
            return start(main, System.getProperty("java.class.path"), log, arguments);
        } catch (IOException ex) {
            throw new UncheckedIOException("The application could not be started", ex);
        }
    }

    /** Starts the main class on this class path. Its output goes to this file. */
    public static ApplicationProcess start(Class<?> main, String classPath, Path log, List<String> arguments) {
        try {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx512m",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-cp",
                    classPath,
                    main.getName()));
            command.addAll(arguments);
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(log.toFile())
                    .redirectErrorStream(true);
            return new ApplicationProcess(ProcessGuard.start(builder), log);
        } catch (IOException ex) {
            throw new UncheckedIOException("The application could not be started", ex);
        }
    }

    /** Returns whether the application has written this text. */
    public boolean hasLogged(String text) {
        return log().contains(text);
    }

    /**
     * Waits until the application has written this text.
     *
     * @throws IllegalStateException if the application ends before that or has not written the text within five
     *     minutes; the message contains the end of its log
     */
    public void awaitLogged(String text) throws InterruptedException {
        long end = System.nanoTime() + START_LIMIT.toNanos();
        while (!hasLogged(text)) {
            if (!isAlive() || System.nanoTime() - end > 0) {
                throw new IllegalStateException("The application did not write '" + text + "', see " + log.getFileName()
                        + ", which ends with:\n" + tail());
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private String tail() {
        String log = log();
        return log.substring(Math.max(0, log.length() - 4000));
    }

    /** Returns everything that the application has written. */
    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Returns the process id of the application. */
    public long pid() {
        return process.pid();
    }

    /** Sends a signal by its name, such as STOP or CONT. */
    public void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("kill -" + name + " failed");
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Waits until the application ends. */
    public void awaitEnd() throws InterruptedException {
        process.waitFor();
    }

    /** Sends SIGKILL and waits for the end. */
    public void kill() {
        process.destroyForcibly();
        await();
    }

    /** Sends SIGTERM and waits for the end; sends SIGKILL after 30 seconds. */
    public void stop() {
        process.destroy();
        await();
    }

    private void await() {
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException ex) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Kills the application if it still runs, and deletes its log. */
    @Override
    public void close() {
        kill();
        try {
            Files.deleteIfExists(log);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
