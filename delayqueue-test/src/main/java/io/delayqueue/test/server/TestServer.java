// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A server that a test controls, reachable only on the loopback interface.
 *
 * <p>The port and the data remain the same from the first {@link #start()} to {@link #close()}. A server that was
 * stopped or killed restarts on the same port with its stored data. {@link #close()} ends the server's processes and
 * deletes its folder. If the JVM ends without a close, even after {@code kill -9}, a watchdog process does the same.
 *
 * <p>Calls block until they have taken effect and fail with {@link TestServerException}. Thread-safe.
 */
abstract class TestServer implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration AFTER_A_KILL = Duration.ofSeconds(5);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    private final int port;
    private final ServerFolder folder;
    private @Nullable ServerProcess process;
    private boolean closed;

    TestServer(ServerFolder folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    /** Starts the process, with {@link ServerFolder#log()} as its log. */
    abstract ServerProcess launch();

    /** Returns whether a client gets a valid answer now. Must return within a few seconds. */
    abstract boolean answers();

    /** Returns the id of the process that serves clients, which may be a child of the launched process. */
    long pid(ServerProcess launched) {
        return launched.pid();
    }

    /** Returns the signal for an orderly shutdown. */
    String stopSignal() {
        return "TERM";
    }

    /** Called after {@link #stop()} or {@link #close()} has stopped or killed the server. */
    void afterStop() {}

    final ServerFolder folder() {
        return folder;
    }

    /**
     * Starts the server and waits until clients can connect. Resumes the server if it is frozen.
     *
     * @throws RuntimeException if it does not start; the message ends with the last lines of the server's log
     */
    public final synchronized void start() {
        if (closed) {
            throw new IllegalStateException(description() + " is closed and cannot be restarted");
        }
        if (isRunning()) {
            resume();
            return;
        }
        // A killed server may leave processes that occupy resources for a short time.
        if (!comesUp() && !Pause.until(AFTER_A_KILL, this::comesUp)) {
            throw new TestServerException(description() + " did not start within " + START_LIMIT.toSeconds()
                    + " s. The end of its log:\n" + folder.logTail());
        }
    }

    private boolean comesUp() {
        ServerProcess started = launch();
        process = started;
        boolean up = false;
        try {
            up = Pause.until(START_LIMIT, () -> !started.isAlive() || answers()) && started.isAlive();
        } finally {
            if (!up) {
                started.kill();
                afterStop();
            }
        }
        return up;
    }

    /** Shuts the server down and waits for its end. Keeps its data. Does nothing if the server is down. */
    public final synchronized void stop() {
        if (process != null) {
            process.terminate(stopSignal(), STOP_LIMIT);
            process = null;
        }
        afterStop();
    }

    /** Kills the server with SIGKILL: no clean-up, no last flush to disk. Does nothing if the server is down. */
    public final synchronized void kill() {
        if (process != null) {
            process.kill();
            process = null;
        }
    }

    /** Restarts the server on the same port and data. Stops it first if it is running. */
    public final void restart() {
        stop();
        start();
    }

    /** Freezes the server (SIGSTOP): connections stay open, but it does not answer. */
    public final synchronized void suspend() {
        running().signal("STOP");
    }

    /** Resumes a frozen server (SIGCONT). Does nothing if it is not frozen. */
    public final synchronized void resume() {
        running().signal("CONT");
    }

    /** Returns whether the server's process exists, even if it is frozen. */
    public final synchronized boolean isRunning() {
        return process != null && process.isAlive();
    }

    /**
     * Returns the id of the process that serves clients.
     *
     * @throws IllegalStateException while the server is down
     */
    public final synchronized long pid() {
        return pid(running());
    }

    /** Returns the host for clients, for example {@code 127.0.0.1}. */
    public final String host() {
        return "127.0.0.1";
    }

    /** Returns the port for clients. It stays the same across restarts. */
    public final int port() {
        return port;
    }

    /** Returns the address with credentials, in the form that clients of this kind of server expect. */
    public abstract URI uri();

    /** Returns a description for a log line, such as {@code embedded Redis 6.2.11 on 127.0.0.1:21001}. */
    public abstract String description();

    /** Stops the server, if this class started it, and deletes its data. It cannot be restarted. */
    @Override
    public final synchronized void close() {
        if (!closed) {
            closed = true;
            kill();
            afterStop();
            folder.delete();
        }
    }

    @Override
    public final String toString() {
        return description();
    }

    private ServerProcess running() {
        if (process == null || !process.isAlive()) {
            throw new IllegalStateException(description() + " is not running");
        }
        return process;
    }
}
