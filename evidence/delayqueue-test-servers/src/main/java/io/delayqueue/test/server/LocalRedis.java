// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** A {@code redis-server} process of ours, with the user of {@link LeastRights} unless it is a Sentinel. */
final class LocalRedis extends RedisProcess implements RedisServer {

    private final boolean hasUser;

    private LocalRedis(
            RedisExecutable executable,
            ServerFolder folder,
            int port,
            List<String> config,
            List<String> arguments,
            boolean hasUser) {
        super(executable, folder, port, config, arguments);
        this.hasUser = hasUser;
    }

    LocalRedis(RedisExecutable executable, ServerFolder folder, int port, List<String> config) {
        this(executable, folder, port, withUser(config), List.of(), true);
    }

    /** A server that watches others instead of storing data. */
    static LocalRedis sentinel(RedisExecutable executable, ServerFolder folder, int port, List<String> config) {
        return new LocalRedis(executable, folder, port, config, List.of("--sentinel"), false);
    }

    private static List<String> withUser(List<String> config) {
        List<String> lines = new ArrayList<>(List.of(LeastRights.redisUser()));
        lines.addAll(config);
        return withDefaults(lines);
    }

    @Override
    public URI uri() {
        return hasUser && LeastRights.areRequired() ? leastUri() : adminUri();
    }

    @Override
    public URI leastUri() {
        if (!hasUser) {
            throw new UnsupportedOperationException(description() + " stores no tasks");
        }
        return URI.create("redis://" + LeastRights.USER_INFO + "@" + host() + ":" + port());
    }

    @Override
    public URI adminUri() {
        return address();
    }
}
