// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A process with a watchdog. The watchdog is a shell that reads from a pipe. When the pipe closes because this JVM has
 * ended, the watchdog kills the process and deletes the folder. Both run in a separate session, so that a Ctrl-C in the
 * terminal reaches only the application, which can use its servers while it shuts down.
 */
final class ServerProcess {

    private static final String WATCHDOG =
            "read -r _; kill -9 \"$2\" 2>/dev/null;" + " rm -rf \"$1\" 2>/dev/null || { sleep 1; rm -rf \"$1\"; }";

    private static final List<String> FOREIGN = List.of("RABBITMQ_", "ERL_", "PG", "MYSQL_", "MARIADB_");

    private final Process process;
    private final String signalTarget;
    private final Process watchdog;

    private ServerProcess(Process process, String signalTarget, Process watchdog) {
        this.process = process;
        this.signalTarget = signalTarget;
        this.watchdog = watchdog;
    }

    static ServerProcess start(List<String> command, Map<String, String> environment, ServerFolder folder, Path log) {
        ProcessBuilder builder = new ProcessBuilder(inOwnSession(command))
                .directory(folder.path().toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeIf(ServerProcess::belongsToAnotherServer);
        builder.environment().putAll(environment);
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new TestServerException("Cannot run " + command.get(0), e);
        }
        // In a separate session, the process leads a group, so signals also reach its children.
        String signalTarget = (hasSetsid() ? "-" : "") + process.pid();
        try {
            return new ServerProcess(process, signalTarget, watch(signalTarget, folder.path()));
        } catch (IOException e) {
            process.destroyForcibly();
            throw new TestServerException("Cannot run the watchdog shell of " + command.get(0), e);
        }
    }

    /** Returns whether an environment variable is for an installed server and must not affect this one. */
    static boolean belongsToAnotherServer(String variable) {
        return FOREIGN.stream().anyMatch(variable::startsWith);
    }

    private static Process watch(String signalTarget, Path folder) throws IOException {
        List<String> command = List.of("sh", "-c", WATCHDOG, "delayqueue-watchdog", folder.toString(), signalTarget);
        return new ProcessBuilder(inOwnSession(command))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Wraps the command in a separate session if the system supports it. */
    static List<String> inOwnSession(List<String> command) {
        if (!hasSetsid()) {
            return command;
        }
        List<String> wrapped = new ArrayList<>(List.of("setsid"));
        wrapped.addAll(command);
        return wrapped;
    }

    private static boolean hasSetsid() {
        return Executable.onPath("setsid").isPresent();
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Requests the process to end, and kills it after the limit. */
    void terminate(String signal, Duration limit) {
        signal("CONT");
        kill(signal, "" + process.pid());
        if (!waitFor(limit)) {
            kill();
        }
        end(watchdog);
    }

    /** Sends SIGKILL to the process and its children. */
    void kill() {
        List<ProcessHandle> children;
        try (Stream<ProcessHandle> descendants = process.descendants()) {
            children = descendants.toList();
        }
        end(watchdog);
        end(process);
        children.forEach(ProcessHandle::destroyForcibly);
    }

    /** Sends a signal to the process and its children, including children that lead their own groups. */
    void signal(String name) {
        kill(name, signalTarget);
        try (Stream<ProcessHandle> descendants = process.descendants()) {
            descendants.forEach(child -> send(name, "" + child.pid()));
        }
    }

    private void kill(String name, String target) {
        if (process.isAlive() && !send(name, target) && process.isAlive()) {
            throw new TestServerException("Cannot send SIG" + name + " to process " + process.pid());
        }
    }

    private static boolean send(String name, String target) {
        try {
            // Use the shell's built-in kill, because small containers have no kill program.
            return new ProcessBuilder("sh", "-c", "kill -" + name + " " + target)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            throw new TestServerException("Cannot send SIG" + name + " to process " + target, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TestServerException("Interrupted while sending SIG" + name, e);
        }
    }

    private boolean waitFor(Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Kills the process and waits for its end. Not interruptible, so that callers can rely on the end of the process.
     */
    private static void end(Process process) {
        process.destroyForcibly();
        process.onExit().join();
    }
}
