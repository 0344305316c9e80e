// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/**
 * A real {@code redis-server} under the control of a test.
 * <pre>{@code
 * try (EmbeddedRedis redis = new EmbeddedRedis("appendfsync always")) {
 *     redis.start();
 *     ...
 *     redis.kill();
 *     redis.start(); // same port, same data
 * }
 * }</pre>
 *
 * <p>On Linux and macOS, this is Redis 6.2 from the {@code embedded-redis} jar, without an installation. On other
 * systems, it is the {@code redis-server} on the {@code PATH}.
 *
 * <p>By default, the server writes an append-only file with {@code appendfsync everysec}, writes no snapshots and never
 * evicts keys. With {@code appendfsync always}, a kill loses no acknowledged writes.
 *
 * <p>The port and the data remain the same from the first {@link #start()} to {@link #close()}. If the JVM ends without
 * a close, even after {@code kill -9}, a watchdog process stops the server and deletes its folder. Calls block until
 * they have taken effect. Thread-safe.
 */
public final class EmbeddedRedis implements AutoCloseable {

    /**
     * Environment variable with the path of another {@code redis-server} to use. This can also be a server with the
     * same arguments, such as Valkey, or a script that starts the server with {@code exec}, so that signals reach it.
     */
    public static final String PROGRAM_VARIABLE = "DELAYQUEUE_TEST_REDIS_PROGRAM";

    private final RedisProcess process;

    /**
     * Creates a server on a free port, without starting it.
     *
     * @param config lines of {@code redis.conf}, for example {@code maxmemory 8mb}
     * @throws RuntimeException if there is no usable server on this machine; the message explains the solution
     */
    public EmbeddedRedis(String... config) {
        ServerFolder folder = new ServerFolder("redis");
        this.process = new RedisProcess(
                executable(folder), folder, FreePort.next(), RedisProcess.withDefaults(List.of(config)), List.of());
    }

    private static RedisExecutable executable(ServerFolder folder) {
        try {
            return RedisExecutable.available(folder.path());
        } catch (RuntimeException e) {
            folder.delete();
            throw e;
        }
    }

    /**
     * Starts the server and waits until clients can connect. Resumes the server if it is frozen.
     *
     * @throws RuntimeException if it does not start; the message ends with the last lines of the server's log
     */
    public void start() {
        process.start();
    }

    /** Shuts the server down and waits for its end. Keeps its data. Does nothing if the server is down. */
    public void stop() {
        process.stop();
    }

    /** Kills the server with SIGKILL: no clean-up, no last flush to disk. Does nothing if the server is down. */
    public void kill() {
        process.kill();
    }

    /** Restarts the server on the same port and data. Stops it first if it is running. */
    public void restart() {
        process.restart();
    }

    /** Freezes the server (SIGSTOP): connections stay open, but it does not answer. */
    public void suspend() {
        process.suspend();
    }

    /** Resumes a frozen server (SIGCONT). Does nothing if it is not frozen. */
    public void resume() {
        process.resume();
    }

    /** Returns whether the server's process exists, even if it is frozen. */
    public boolean isRunning() {
        return process.isRunning();
    }

    /**
     * Returns the id of the process that serves clients.
     *
     * @throws IllegalStateException while the server is down
     */
    public long pid() {
        return process.pid();
    }

    /** Returns the host for clients, for example {@code 127.0.0.1}. */
    public String host() {
        return process.host();
    }

    /** Returns the port for clients. It stays the same across restarts. */
    public int port() {
        return process.port();
    }

    /** Returns the address for clients, such as {@code redis://127.0.0.1:21001}. */
    public URI uri() {
        return process.uri();
    }

    /** Returns the version of the server, such as {@code 6.2.11}. */
    public String version() {
        return process.version();
    }

    Path folder() {
        return process.folder().path();
    }

    /** Stops the server and deletes its data. It cannot be restarted. */
    @Override
    public void close() {
        process.close();
    }

    /** Returns a description for a log line, such as {@code embedded Redis 6.2.11 on 127.0.0.1:21001}. */
    @Override
    public String toString() {
        return process.description();
    }
}
