// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;

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
public final class RedisServer extends RedisProcess {

    /** The environment variable that names the program of every handle, clusters and Sentinels too. */
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

    /** A server that watches others instead of storing data. */
    static RedisServer sentinel(RedisExecutable executable, ServerFolder folder, int port, List<String> config) {
        return new RedisServer(executable, folder, port, config, List.of("--sentinel"), false);
    }

    private static List<String> withUser(List<String> config) {
        List<String> lines = new ArrayList<>(List.of(LeastRights.redisUser()));
        lines.addAll(config);
        return withDefaults(lines);
    }

    /**
     * Where the application under test connects: as {@link #adminUri}, or as {@link #leastUri} if the system property
     * {@code delayqueue.test.least-rights} is {@code true}.
     */
    @Override
    public URI uri() {
        return hasUser && LeastRights.areRequired() ? leastUri() : adminUri();
    }

    /**
     * Credentials of a user that may do what the library needs and nothing else, on the keys of every prefix: see
     * {@link io.delayqueue.internal.redis.check.RedisRights}.
     */
    public URI leastUri() {
        if (!hasUser) {
            throw new UnsupportedOperationException(description() + " stores no tasks");
        }
        return URI.create("redis://" + LeastRights.USER_INFO + "@" + host() + ":" + port());
    }

    /** Credentials of a user that may do everything, for what a test itself has to look at and to change. */
    public URI adminUri() {
        return address();
    }

    /** The executable carried by the {@code embedded-redis} jar: Redis 6.2 on Linux and macOS, nothing to install. */
    public static RedisServerBuilder embedded() {
        return new RedisServerBuilder(RedisServerBuilder.Source.EMBEDDED);
    }

    /** The {@code redis-server} on the {@code PATH}. */
    public static RedisServerBuilder installed() {
        return new RedisServerBuilder(RedisServerBuilder.Source.INSTALLED);
    }

    /** The embedded executable, and where there is none for this machine the installed one. */
    public static RedisServerBuilder available() {
        return new RedisServerBuilder(RedisServerBuilder.Source.AVAILABLE);
    }
}
