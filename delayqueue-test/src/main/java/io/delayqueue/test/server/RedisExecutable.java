// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.model.OsArchitecture;

/** A Redis server program and its origin. */
record RedisExecutable(Path path, String origin, String version) {

    private static final Pattern VERSION = Pattern.compile("v=(\\S+)");

    /** Returns the first available server: from the environment, embedded, or installed. */
    static RedisExecutable available(Path folder) {
        return named().orElseGet(() -> isEmbeddable() ? embedded(folder) : installed());
    }

    /** Returns the server that overrides all others. */
    static Optional<RedisExecutable> named() {
        return Executable.named(EmbeddedRedis.PROGRAM_VARIABLE).map(path -> of(path, "named"));
    }

    static RedisExecutable installed() {
        return Executable.onPath("redis-server")
                .map(path -> of(path, "installed"))
                .orElseThrow(() -> new TestServerException(notInstalled()));
    }

    static String notInstalled() {
        return "No redis-server on the PATH. Install one (Debian and Ubuntu: apt-get install redis-server; macOS: brew"
                + " install redis), or set " + EmbeddedRedis.PROGRAM_VARIABLE
                + " to its path, or use a running Redis: set delayqueue.test.embedded.redis=false and "
                + "spring.data.redis.url.";
    }

    /** Unpacks the executable for this machine into the folder. */
    static RedisExecutable embedded(Path folder) {
        try {
            Path path = ExecutableProvider.newJarResourceProvider(folder.toFile())
                    .get()
                    .toPath();
            return of(path, "embedded");
        } catch (IOException e) {
            throw new TestServerException("Cannot unpack the embedded Redis executable to " + folder, e);
        }
    }

    private static RedisExecutable of(Path path, String origin) {
        Matcher matcher = VERSION.matcher(Executable.output(List.of(path.toString(), "--version"), Map.of()));
        if (!matcher.find()) {
            throw new TestServerException(path + " does not report its version");
        }
        return new RedisExecutable(path, origin, matcher.group(1));
    }

    private static boolean isEmbeddable() {
        Map<OsArchitecture, String> versions = ExecutableProvider.newProvidedVersionsMap();
        try {
            String name = versions.get(OsArchitecture.detectOSandArchitecture());
            return name != null && !name.endsWith(".exe");
        } catch (RuntimeException unknownPlatform) {
            return false;
        }
    }
}
