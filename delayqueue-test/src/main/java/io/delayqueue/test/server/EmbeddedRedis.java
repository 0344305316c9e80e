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
 * <p>On Linux and macOS it is the Redis 6.2 that the {@code embedded-redis} jar contains; nothing has to be installed.
 * On other systems it is the {@code redis-server} on the {@code PATH}.
 *
 * <p>By default it writes an append-only file with {@code appendfsync everysec}, writes no snapshots and never evicts
 * keys. With {@code appendfsync always}, a kill loses no acknowledged write.
 */
public final class EmbeddedRedis extends RedisProcess {

    /**
     * The environment variable with the path of the {@code redis-server} to use instead. This may be another server
     * that takes the same arguments, such as Valkey, or a script that ends with {@code exec} of one, so that signals
     * reach the server.
     */
    public static final String PROGRAM_VARIABLE = "DELAYQUEUE_TEST_REDIS_PROGRAM";

    /**
     * Creates a server on a free port, without starting it.
     *
     * @param config lines of {@code redis.conf}, for example {@code maxmemory 8mb}
     * @throws TestServerException if this machine has no usable server
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
