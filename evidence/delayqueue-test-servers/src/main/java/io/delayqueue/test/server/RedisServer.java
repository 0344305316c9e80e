// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * A real {@code redis-server} that a test controls.
 *
 * <pre>{@code
 * try (RedisServer redis = RedisServer.embedded().config("appendfsync always").start()) {
 *     ...
 *     redis.kill();
 *     redis.start(); // same port, same data
 * }
 * }</pre>
 *
 * <p>By default it writes an append-only file with {@code appendfsync everysec}, makes no snapshots and never evicts.
 * With {@code appendfsync always}, a kill loses no acknowledged write.
 */
public final class RedisServer extends RedisProcess {

    /** The environment variable with the program of every handle, including clusters and Sentinels. */
    public static final String PROGRAM_VARIABLE = EmbeddedRedis.PROGRAM_VARIABLE;

    private final boolean hasUser;

    private RedisServer(
            RedisExecutable executable,
            ServerFolder folder,
            int port,
            List<String> config,
            List<String> arguments,
            boolean hasUser) {
        super(executable, folder, port, config, arguments);
        this.hasUser = hasUser;
    }

    RedisServer(RedisExecutable executable, ServerFolder folder, int port, List<String> config) {
        this(executable, folder, port, withUser(config), List.of(), true);
    }

    /** Returns a Sentinel, which monitors other servers and stores no data. */
    static RedisServer sentinel(RedisExecutable executable, ServerFolder folder, int port, List<String> config) {
        return new RedisServer(executable, folder, port, config, List.of("--sentinel"), false);
    }

    private static List<String> withUser(List<String> config) {
        List<String> lines = new ArrayList<>(List.of(LeastRights.redisUser()));
        lines.addAll(config);
        return withDefaults(lines);
    }

    /**
     * Returns the address for the application under test: {@link #adminUri}, or {@link #leastUri} if the system
     * property {@code delayqueue.test.least-rights} is {@code true}.
     */
    @Override
    public URI uri() {
        return hasUser && LeastRights.areRequired() ? leastUri() : adminUri();
    }

    /**
     * Returns the address with a user that has only the permissions that the library needs, on the keys of every
     * prefix: see {@link io.delayqueue.internal.redis.rights.RedisRights}.
     */
    public URI leastUri() {
        if (!hasUser) {
            throw new UnsupportedOperationException(description() + " stores no tasks");
        }
        return URI.create("redis://" + LeastRights.USER_INFO + "@" + host() + ":" + port());
    }

    /** Returns the address with a user that has all permissions, for the test's own reads and changes. */
    public URI adminUri() {
        return address();
    }

    /**
     * Returns a builder for the executable in the {@code embedded-redis} jar: Redis 6.2 on Linux and macOS, without
     * installation.
     */
    public static RedisServerBuilder embedded() {
        return new RedisServerBuilder(RedisServerBuilder.Source.EMBEDDED);
    }

    /** Returns a builder for the {@code redis-server} on the {@code PATH}. */
    public static RedisServerBuilder installed() {
        return new RedisServerBuilder(RedisServerBuilder.Source.INSTALLED);
    }

    /** Returns a builder for the embedded executable, or for the installed one if there is none for this machine. */
    public static RedisServerBuilder available() {
        return new RedisServerBuilder(RedisServerBuilder.Source.AVAILABLE);
    }
}
