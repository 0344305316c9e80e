// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.clock;

import io.delayqueue.test.server.RedisServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The wall clock of server processes. The preloaded library libfaketime sets it at run time. Waits of the
 * processes use the monotonic clock, which is unaffected.
 *
 * <pre>{@code
 * try (MovableClock clock = new MovableClock();
 *         RedisServer redis = clock.applyTo(RedisServer.embedded()).start()) {
 *     clock.moveTo(Duration.ofMinutes(-10));
 * }
 * }</pre>
 *
 * <p>This works for the embedded Redis. A server that is linked with a shared jemalloc, such as Debian's, does not
 * start with libfaketime 0.9.10, because each of the two queries the time from the other at startup.
 */
public final class MovableClock implements AutoCloseable {

    /** The environment variable that names libfaketime if it is not in a usual place. */
    public static final String LIBRARY_VARIABLE = "DELAYQUEUE_LIBFAKETIME";

    private static final String FILE_NAME = "libfaketime.so.1";

    private static final List<Path> ROOTS =
            List.of(Path.of("/usr/lib"), Path.of("/usr/lib64"), Path.of("/usr/local/lib"));

    private final Path library;
    private final Path folder;

    /** @throws IllegalStateException if libfaketime is missing; the message explains how to install it */
    public MovableClock() {
        this.library = find();
        try {
            this.folder = Files.createTempDirectory("delayqueue-clock-");
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        moveTo(Duration.ZERO);
    }

    private static Path find() {
        String named = System.getenv(LIBRARY_VARIABLE);
        Stream<Path> candidates =
                named == null ? ROOTS.stream().flatMap(MovableClock::inFaketimeFolders) : Stream.of(Path.of(named));
        return candidates
                .filter(Files::isReadable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("The clock of a server cannot be moved: " + FILE_NAME
                        + " is missing. Install it (Debian and Ubuntu: apt-get install libfaketime), or set "
                        + LIBRARY_VARIABLE + " to its path"));
    }

    /** Returns folders such as {@code /usr/lib/x86_64-linux-gnu/faketime}. */
    private static Stream<Path> inFaketimeFolders(Path root) {
        if (!Files.isDirectory(root)) {
            return Stream.of();
        }
        try (Stream<Path> children = Files.list(root)) {
            return Stream.concat(Stream.of(root), children)
                    .map(folder -> folder.resolve("faketime").resolve(FILE_NAME))
                    .toList()
                    .stream();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Makes the server read this clock. */
    public RedisServerBuilder applyTo(RedisServerBuilder server) {
        return server.environment("LD_PRELOAD", library.toString())
                .environment("FAKETIME_TIMESTAMP_FILE", offsetFile().toString())
                .environment("FAKETIME_NO_CACHE", "1")
                .environment("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    }

    private Path offsetFile() {
        return folder.resolve("offset");
    }

    /** Sets the servers' clock to the time of day plus this offset, in whole seconds. */
    public void moveTo(Duration offset) {
        long seconds = offset.toSeconds();
        try {
            // Write atomically, so that a server never reads half of the file.
            Path next = Files.writeString(folder.resolve("next"), (seconds < 0 ? "" : "+") + seconds + "\n");
            Files.move(next, offsetFile(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Call this after the servers have ended. */
    @Override
    public void close() {
        try {
            Files.deleteIfExists(offsetFile());
            Files.deleteIfExists(folder);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
