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
 * <p>On Linux and macOS this is the Redis 6.2 in the {@code embedded-redis} jar; nothing has to be installed. On other
 * systems it is the {@code redis-server} on the {@code PATH}.
 *
 * <p>By default it writes an append-only file with {@code appendfsync everysec}, writes no snapshots and never evicts
 * keys. With {@code appendfsync always}, a kill loses no acknowledged write.
 *
 * <p>The port and the data stay the same from the first {@link #start()} to {@link #close()}. If the JVM ends without a
 * close, even by {@code kill -9}, a watchdog process ends the server and deletes its folder. All calls block until they
 * have taken effect and are thread-safe.
 */
public final class EmbeddedRedis implements AutoCloseable {

    /**
     * The environment variable with the path of the {@code redis-server} to use instead. This may be another server
     * that takes the same arguments, such as Valkey, or a script that ends with {@code exec} of one, so that signals
     * reach the server.
     */
    public static final String PROGRAM_VARIABLE = "DELAYQUEUE_TEST_REDIS_PROGRAM";

    private final RedisProcess process;

    /**
     * Creates a server on a free port, without starting it.
     *
     * @param config lines of {@code redis.conf}, for example {@code maxmemory 8mb}
     * @throws RuntimeException if this machine has no usable server; the message says what to do
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
     * Starts the server and waits until a client can connect. If it is running, this only resumes it from a freeze.
     *
     * @throws RuntimeException if it does not start; the message ends with the last lines of the server's log
     */
    public void start() {
        process.start();
    }

    /** Stops the server in good order and waits for it. Keeps its data. Does nothing if the server is down. */
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

    /** Returns the version of the server, for example {@code 6.2.11}. */
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
