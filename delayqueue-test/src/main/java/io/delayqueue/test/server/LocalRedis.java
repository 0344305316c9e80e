// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A {@code redis-server} process of ours. */
final class LocalRedis extends LocalServer implements RedisServer {

    private static final String CONFIG_FILE = "redis.conf";

    private final RedisExecutable executable;
    private final List<String> config;
    private final List<String> arguments;
    private final boolean hasUser;
    private final Map<String, String> environment = new HashMap<>();

    private LocalRedis(
            RedisExecutable executable,
            ServerFolder folder,
            int port,
            List<String> config,
            List<String> arguments,
            boolean hasUser) {
        super(folder, port);
        this.executable = executable;
        this.config =
                new ArrayList<>(List.of("port " + port, "bind 127.0.0.1", "daemonize no", "dir " + folder.path()));
        this.config.addAll(config);
        this.arguments = List.copyOf(arguments);
        this.hasUser = hasUser;
    }

    LocalRedis(RedisExecutable executable, ServerFolder folder, int port, List<String> extraConfig) {
        this(executable, folder, port, withDefaults(extraConfig), List.of(), true);
    }

    /** To be called before it is started. */
    LocalRedis with(Map<String, String> variables) {
        environment.putAll(variables);
        return this;
    }

    /** A server that watches others instead of storing data. */
    static LocalRedis sentinel(RedisExecutable executable, ServerFolder folder, int port, List<String> config) {
        return new LocalRedis(executable, folder, port, config, List.of("--sentinel"), false);
    }

    private static List<String> withDefaults(List<String> extraConfig) {
        List<String> config = new ArrayList<>(
                List.of("save \"\"", "appendonly yes", "appendfsync everysec", "maxmemory-policy noeviction"));
        config.add(LeastRights.redisUser());
        config.addAll(extraConfig);
        return config;
    }

    @Override
    ServerProcess launch() {
        List<String> command = new ArrayList<>(
                List.of(executable.path().toString(), configFile().toString()));
        command.addAll(arguments);
        return ServerProcess.start(command, environment, folder(), folder().log());
    }

    /** Written once: a server may rewrite it, and a Sentinel does so to remember what it has seen. */
    private Path configFile() {
        Path file = folder().resolve(CONFIG_FILE);
        return Files.exists(file) ? file : folder().write(CONFIG_FILE, config);
    }

    @Override
    boolean answers() {
        return new RedisPing(adminUri()).isReady();
    }

    @Override
    public String version() {
        return executable.version();
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
        return URI.create("redis://" + host() + ":" + port());
    }

    @Override
    public String description() {
        return executable.origin() + " Redis " + version() + " on " + host() + ":" + port();
    }
}
