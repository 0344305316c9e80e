// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import redis.embedded.core.ExecutableProvider;

/** The servers that these tests run against: the oldest supported one, always there, and the machine's own. */
enum RedisBinary implements StoreServers {
    EMBEDDED_6_2 {
        @Override
        Path find() throws IOException {
            return ExecutableProvider.newJarResourceProvider().get().toPath();
        }
    },
    INSTALLED {
        @Override
        Path find() {
            return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
                    .map(folder -> Path.of(folder, "redis-server"))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow(
                            () -> new AssertionError("There is no redis-server on the PATH. These tests run against"
                                    + " the installed server too: install one, on Debian the package redis-server"));
        }
    };

    private Path executable;
    private TestRedis shared;

    abstract Path find() throws IOException;

    synchronized Path executable() {
        if (executable == null) {
            try {
                executable = find();
            } catch (IOException ex) {
                throw new UncheckedIOException(ex);
            }
        }
        return executable;
    }

    @Override
    public synchronized TestRedis shared() {
        if (shared == null) {
            shared = new SingleRedis(this);
        }
        return shared;
    }

    @Override
    public TestRedis breakable() {
        return new SingleRedis(this, "--appendonly", "yes", "--appendfsync", "always");
    }
}
