// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A {@code redis-server} process that this class starts. */
class RedisProcess extends TestServer {

    private static final String CONFIG_FILE = "redis.conf";

    private final RedisExecutable executable;
    private final List<String> config;
    private final List<String> arguments;
    private final Map<String, String> environment = new HashMap<>();

    RedisProcess(
            RedisExecutable executable, ServerFolder folder, int port, List<String> config, List<String> arguments) {
        super(folder, port);
        this.executable = executable;
        this.config = new ArrayList<>(
                List.of("port " + port, "bind 127.0.0.1", "daemonize no", "dir \"" + folder.path() + "\""));
        this.config.addAll(config);
        this.arguments = List.copyOf(arguments);
    }

    /** Returns the configuration of a server that stores tasks. For each directive, the last line applies. */
    static List<String> withDefaults(List<String> config) {
        List<String> lines = new ArrayList<>(
                List.of("save \"\"", "appendonly yes", "appendfsync everysec", "maxmemory-policy noeviction"));
        lines.addAll(config);
        return lines;
    }

    /** Adds variables to the server's environment. Call it before the first start. */
    final void with(Map<String, String> variables) {
        environment.putAll(variables);
    }

    @Override
    final ServerProcess launch() {
        List<String> command = new ArrayList<>(
                List.of(executable.path().toString(), configFile().toString()));
        command.addAll(arguments);
        return ServerProcess.start(command, environment, folder(), folder().log());
    }

    /**
     * Returns the configuration file. Writes it only once, because a server may rewrite it, and a Sentinel stores its
     * state in it.
     */
    private Path configFile() {
        Path file = folder().resolve(CONFIG_FILE);
        return Files.exists(file) ? file : folder().write(CONFIG_FILE, config);
    }

    @Override
    final boolean answers() {
        return new RedisPing(address()).isReady();
    }

    /** Returns the address for clients, without credentials. */
    final URI address() {
        return URI.create("redis://" + host() + ":" + port());
    }

    /** Returns the address for clients, such as {@code redis://127.0.0.1:21001}. */
    @Override
    public URI uri() {
        return address();
    }

    /** Returns the version of the server, for example {@code 6.2.11}. */
    public final String version() {
        return executable.version();
    }

    @Override
    public final String description() {
        return executable.origin() + " Redis " + version() + " on " + host() + ":" + port();
    }
}
