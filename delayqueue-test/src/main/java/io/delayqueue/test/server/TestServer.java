// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;

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
public interface TestServer extends AutoCloseable {

    /**
     * Starts the server and waits until a client can talk to it. While it runs,
     * this only lets it go on if it was frozen.
     *
     * @throws TestServerException if it does not come up; the message ends with the tail of the server's log
     */
    void start();

    /** Asks the server to end in good order and waits for it. Its data is kept. Does nothing while it is down. */
    void stop();

    /** Ends the server with SIGKILL: no clean-up, no last flush to disk. Does nothing while it is down. */
    void kill();

    /** Starts the server again on the same port and data, after stopping it if it still runs. */
    default void restart() {
        stop();
        start();
    }

    /** Freezes the server (SIGSTOP): connections stay open and nothing is answered. */
    void suspend();

    /** Lets a frozen server go on (SIGCONT). Does nothing if it is not frozen. */
    void resume();

    /** Whether the server's process is there; also true while it is frozen. */
    boolean isRunning();

    /** Where clients connect, for example {@code 127.0.0.1}. */
    String host();

    /** Where clients connect; the same over restarts. */
    int port();

    /** Host, port and credentials in the form that clients of this kind of server understand. */
    URI uri();

    /**
     * The id of the process that serves the clients.
     *
     * @throws IllegalStateException while the server is down
     */
    long pid();

    /** What runs and where, for a log line: {@code embedded Redis 6.2.11 on 127.0.0.1:21001}. */
    String description();

    /** Ends the server, if it is ours, and deletes its data. It cannot be started again. */
    @Override
    void close();
}
