// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A {@code redis-server} process of ours. */
final class LocalRedis extends LocalServer implements RedisServer {

    private final RedisExecutable executable;
    private final List<String> config;

    LocalRedis(RedisExecutable executable, ServerFolder folder, int port, List<String> extraConfig) {
        super(folder, port);
        this.executable = executable;
        this.config = new ArrayList<>(List.of(
                "port " + port,
                "bind 127.0.0.1",
                "daemonize no",
                "dir " + folder.path(),
                "save \"\"",
                "appendonly yes",
                "appendfsync everysec",
                "maxmemory-policy noeviction"));
        this.config.addAll(extraConfig);
    }

    @Override
    ServerProcess launch() {
        String configFile = folder().write("redis.conf", config).toString();
        return ServerProcess.start(
                List.of(executable.path().toString(), configFile), Map.of(), folder(), folder().log());
    }

    @Override
    boolean answers() {
        return new RedisPing(uri()).isReady();
    }

    @Override
    public String version() {
        return executable.version();
    }

    @Override
    public URI uri() {
        return URI.create("redis://" + host() + ":" + port());
    }

    @Override
    public String description() {
        return executable.origin() + " Redis " + version() + " on " + host() + ":" + port();
    }
}
