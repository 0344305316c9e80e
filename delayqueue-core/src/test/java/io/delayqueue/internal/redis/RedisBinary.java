// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.model.OsArchitecture;

/**
 * The servers that these tests run against: the oldest supported one, always there, and the machine's own. A program
 * that the environment names takes the place of both.
 */
public enum RedisBinary implements StoreServers {
    EMBEDDED_6_2 {
        @Override
        Path find() throws IOException {
            return ExecutableProvider.newJarResourceProvider().get().toPath();
        }
    },
    /** The same for 32 bits, run by QEMU where the kernel runs no such programs. */
    EMBEDDED_6_2_NARROW {
        @Override
        Path find() throws IOException {
            Map<OsArchitecture, String> programs = ExecutableProvider.newProvidedVersionsMap();
            programs.put(OsArchitecture.UNIX_x86_64, programs.get(OsArchitecture.UNIX_x86));
            Path program =
                    ExecutableProvider.newJarResourceProvider(programs).get().toPath();
            return runs(program) ? program : byQemu(program);
        }

        /** By its answer: the JDK hands what the kernel does not run to a shell. */
        private static boolean runs(Path program) throws IOException {
            Process process = new ProcessBuilder(program.toString(), "--version")
                    .redirectErrorStream(true)
                    .start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).contains("bits=32");
        }

        private static Path byQemu(Path program) throws IOException {
            Path script = program.resolveSibling("redis-server-by-qemu");
            Files.writeString(script, "#!/bin/sh\nexec qemu-i386-static '" + program + "' \"$@\"\n");
            if (!script.toFile().setExecutable(true)) {
                throw new IOException("Cannot make " + script + " executable");
            }
            return script;
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

    private static final String PROGRAM_VARIABLE = "DELAYQUEUE_TEST_REDIS_PROGRAM";

    private Path executable;
    private TestRedis shared;

    abstract Path find() throws IOException;

    /** For a test that runs on each of them. */
    static List<RedisBinary> different() {
        return named().isPresent() ? List.of(INSTALLED) : List.of(values());
    }

    private static Optional<Path> named() {
        return Optional.ofNullable(System.getenv(PROGRAM_VARIABLE)).map(Path::of);
    }

    synchronized Path executable() {
        if (executable == null) {
            try {
                Optional<Path> other = this == EMBEDDED_6_2_NARROW ? Optional.empty() : named();
                executable = other.isPresent() ? other.get() : find();
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
        return new SingleRedis(this, "--appendonly", "yes", "--appendfsync", "no");
    }
}
