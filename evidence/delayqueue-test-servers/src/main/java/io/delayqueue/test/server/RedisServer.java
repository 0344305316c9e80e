// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;

/**
 * A real {@code redis-server} under the control of a test.
 *
 * <pre>{@code
 * try (RedisServer redis = RedisServer.embedded().config("appendfsync always").start()) {
 *     ...
 *     redis.kill();
 *     redis.start(); // same port, same data
 * }
 * }</pre>
 *
 * <p>Unless configured otherwise it writes an append-only file with {@code appendfsync everysec} and no snapshots, and
 * never evicts. With {@code appendfsync always} a kill loses nothing that was answered.
 */
public interface RedisServer extends TestServer {

    /**
     * The environment variable whose {@code redis://[user:password@]host[:port][/database]} {@link #available} prefers.
     */
    String ADDRESS_VARIABLE = "DELAYQUEUE_TEST_REDIS_URI";

    /** The environment variable that names the program of every handle, clusters and Sentinels too. */
    String PROGRAM_VARIABLE = EmbeddedRedis.PROGRAM_VARIABLE;

    /**
     * Where the application under test connects: as {@link #adminUri}, or as {@link #leastUri} if the system property
     * {@code delayqueue.test.least-rights} is {@code true}.
     */
    @Override
    URI uri();

    /**
     * Credentials of a user that may do what the library needs and nothing else, on the keys of every prefix: see
     * {@link io.delayqueue.internal.redis.check.RedisRights}. If the server was given by an address, this is the user
     * in that address.
     */
    URI leastUri();

    /** Credentials of a user that may do everything, for what a test itself has to look at and to change. */
    URI adminUri();

    /** The version of the server, for example {@code 6.2.11}. */
    String version();

    /** The executable carried by the {@code embedded-redis} jar: Redis 6.2 on Linux and macOS, nothing to install. */
    static RedisServerBuilder embedded() {
        return new RedisServerBuilder(RedisServerBuilder.Source.EMBEDDED);
    }

    /** The {@code redis-server} on the {@code PATH}. */
    static RedisServerBuilder installed() {
        return new RedisServerBuilder(RedisServerBuilder.Source.INSTALLED);
    }

    /**
     * The first of: the address in {@value #ADDRESS_VARIABLE}, the embedded executable, the installed one. A builder
     * that was given configuration or a port passes over the address, because it could not apply them there.
     */
    static RedisServerBuilder available() {
        return new RedisServerBuilder(RedisServerBuilder.Source.AVAILABLE);
    }
}
