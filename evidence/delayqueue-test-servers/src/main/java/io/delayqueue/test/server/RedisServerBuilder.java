// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Builder for a {@link RedisServer}. Not thread-safe. */
public final class RedisServerBuilder {

    enum Source {
        EMBEDDED,
        INSTALLED,
        AVAILABLE
    }

    private final Source source;
    private final List<String> config = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();
    private int port;

    RedisServerBuilder(Source source) {
        this.source = source;
    }

    /** Adds a line of {@code redis.conf}, for example {@code maxmemory 8mb}. The last line for a directive wins. */
    public RedisServerBuilder config(String line) {
        config.add(line);
        return this;
    }

    /** Sets a variable of the server's environment, for example {@code LD_PRELOAD}. */
    public RedisServerBuilder environment(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** Sets the port, instead of a free one. */
    public RedisServerBuilder port(int port) {
        this.port = port;
        return this;
    }

    /**
     * Returns a handle of a server that has not been started.
     *
     * @throws TestServerException if this machine has no such server
     */
    public RedisServer build() {
        ServerFolder folder = new ServerFolder("redis");
        try {
            RedisExecutable executable = executable(source, folder.path());
            RedisServer redis = new RedisServer(executable, folder, port > 0 ? port : FreePort.next(), config);
            redis.with(environment);
            return redis;
        } catch (RuntimeException e) {
            folder.delete();
            throw e;
        }
    }

    /** {@link #build()} and {@link RedisServer#start()}; leaves nothing behind if that fails. */
    public RedisServer start() {
        RedisServer server = build();
        try {
            server.start();
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    static RedisExecutable executable(Source source, Path folder) {
        return RedisExecutable.named().orElseGet(() -> switch (source) {
            case EMBEDDED -> RedisExecutable.embedded(folder);
            case INSTALLED -> RedisExecutable.installed();
            case AVAILABLE -> RedisExecutable.available(folder);
        });
    }
}
