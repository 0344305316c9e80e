// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The verbs of a server that runs as a process of ours on this machine. */
abstract class LocalServer implements TestServer {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration AFTER_A_KILL = Duration.ofSeconds(5);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    private final int port;
    private final ServerFolder folder;
    private @Nullable ServerProcess process;
    private boolean closed;

    LocalServer(ServerFolder folder, int port) {
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

    @Override
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

    @Override
    public final synchronized void stop() {
        if (process != null) {
            process.terminate(stopSignal(), STOP_LIMIT);
            process = null;
        }
        afterStop();
    }

    @Override
    public final synchronized void kill() {
        if (process != null) {
            process.kill();
            process = null;
        }
    }

    @Override
    public final synchronized void suspend() {
        running().signal("STOP");
    }

    @Override
    public final synchronized void resume() {
        running().signal("CONT");
    }

    @Override
    public final synchronized boolean isRunning() {
        return process != null && process.isAlive();
    }

    @Override
    public final synchronized long pid() {
        return pid(running());
    }

    @Override
    public final String host() {
        return "127.0.0.1";
    }

    @Override
    public final int port() {
        return port;
    }

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
