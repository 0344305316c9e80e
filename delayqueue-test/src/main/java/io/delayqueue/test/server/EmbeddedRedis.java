// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

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
public final class EmbeddedRedis extends RedisProcess {

    /**
     * Environment variable with the path of another {@code redis-server} to use. This can also be a server with the
     * same arguments, such as Valkey, or a script that starts the server with {@code exec}, so that signals reach it.
     */
    public static final String PROGRAM_VARIABLE = "DELAYQUEUE_TEST_REDIS_PROGRAM";

    /**
     * Creates a server on a free port, without starting it.
     *
     * @param config lines of {@code redis.conf}, for example {@code maxmemory 8mb}
     * @throws RuntimeException if there is no usable server on this machine; the message explains the solution
     */
    public EmbeddedRedis(String... config) {
        this(new ServerFolder("redis"), List.of(config));
    }

    private EmbeddedRedis(ServerFolder folder, List<String> config) {
        super(executable(folder), folder, FreePort.next(), withDefaults(config), List.of());
    }

    private static RedisExecutable executable(ServerFolder folder) {
        try {
            return RedisExecutable.available(folder.path());
        } catch (RuntimeException e) {
            folder.delete();
            throw e;
        }
    }
}
