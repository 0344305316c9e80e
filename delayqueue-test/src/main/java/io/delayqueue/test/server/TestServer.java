// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A server under the control of a test, reachable on the loopback interface only.
 *
 * <p>The port and the data stay the same from the first {@link #start()} to {@link #close()}, whatever happens between:
 * a server that was stopped or killed comes back on its port with what it had stored. {@code close()} ends the
 * server's processes and deletes its folder; if the JVM goes away without it, even by {@code kill -9}, a watchdog
 * process does the same.
 *
 * <p>Every call blocks until its effect is there, may come from any thread, and fails with {@link TestServerException}.
 */
public abstract class TestServer implements AutoCloseable {

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

    /** Starts the process; the log goes to {@link ServerFolder#log()}. */
    abstract ServerProcess launch();

    /** Whether a client gets a sensible answer now. Must return within a few seconds. */
    abstract boolean answers();

    /** The id of the process that serves clients, should that be a child of the one that was launched. */
    long pid(ServerProcess launched) {
        return launched.pid();
    }

    /** The signal upon which it ends in good order. */
    String stopSignal() {
        return "TERM";
    }

    /** Called when the server was stopped or killed by {@link #stop()} or {@link #close()}. */
    void afterStop() {}

    final ServerFolder folder() {
        return folder;
    }

    /**
     * Starts the server and waits until a client can talk to it. While it runs,
     * this only lets it go on if it was frozen.
     *
     * @throws TestServerException if it does not come up; the message ends with the tail of the server's log
     */
    public final synchronized void start() {
        if (closed) {
            throw new IllegalStateException(description() + " is closed and cannot be started again");
        }
        if (isRunning()) {
            resume();
            return;
        }
        // What was killed may leave processes that hold for a moment what the next one needs.
        if (!comesUp() && !Pause.until(AFTER_A_KILL, this::comesUp)) {
            throw new TestServerException(description() + " did not come up within " + START_LIMIT.toSeconds()
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

    /** Asks the server to end in good order and waits for it. Its data is kept. Does nothing while it is down. */
    public final synchronized void stop() {
        if (process != null) {
            process.terminate(stopSignal(), STOP_LIMIT);
            process = null;
        }
        afterStop();
    }

    /** Ends the server with SIGKILL: no clean-up, no last flush to disk. Does nothing while it is down. */
    public final synchronized void kill() {
        if (process != null) {
            process.kill();
            process = null;
        }
    }

    /** Starts the server again on the same port and data, after stopping it if it still runs. */
    public final void restart() {
        stop();
        start();
    }

    /** Freezes the server (SIGSTOP): connections stay open and nothing is answered. */
    public final synchronized void suspend() {
        running().signal("STOP");
    }

    /** Lets a frozen server go on (SIGCONT). Does nothing if it is not frozen. */
    public final synchronized void resume() {
        running().signal("CONT");
    }

    /** Whether the server's process is there; also true while it is frozen. */
    public final synchronized boolean isRunning() {
        return process != null && process.isAlive();
    }

    /**
     * The id of the process that serves the clients.
     *
     * @throws IllegalStateException while the server is down
     */
    public final synchronized long pid() {
        return pid(running());
    }

    /** Where clients connect, for example {@code 127.0.0.1}. */
    public final String host() {
        return "127.0.0.1";
    }

    /** Where clients connect; the same over restarts. */
    public final int port() {
        return port;
    }

    /** Host, port and credentials in the form that clients of this kind of server understand. */
    public abstract URI uri();

    /** What runs and where, for a log line: {@code embedded Redis 6.2.11 on 127.0.0.1:21001}. */
    public abstract String description();

    /** Ends the server, if it is ours, and deletes its data. It cannot be started again. */
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
