// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The temporary folder of a server, with its data, configuration and log. */
final class ServerFolder {

    private static final int TAIL_BYTES = 4096;

    private final Path path;

    ServerFolder(String kind) {
        try {
            this.path = Files.createTempDirectory("delayqueue-" + kind + "-");
        } catch (IOException e) {
            throw new TestServerException("Cannot create a temporary folder for " + kind, e);
        }
    }

    Path path() {
        return path;
    }

    Path resolve(String name) {
        return path.resolve(name);
    }

    Path log() {
        return path.resolve("server.log");
    }

    Path write(String name, List<String> lines) {
        try {
            return Files.write(path.resolve(name), lines);
        } catch (IOException e) {
            throw new TestServerException("Cannot write " + path.resolve(name), e);
        }
    }

    /** Writes a file that only its owner can read. Some servers require this. */
    void writeSecret(String name, String content) {
        Path file = write(name, List.of(content));
        try {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        } catch (IOException e) {
            throw new TestServerException("Cannot restrict access to " + file, e);
        }
    }

    String logTail() {
        try (RandomAccessFile file = new RandomAccessFile(log().toFile(), "r")) {
            long start = Math.max(0, file.length() - TAIL_BYTES);
            byte[] tail = new byte[(int) (file.length() - start)];
            file.seek(start);
            file.readFully(tail);
            return new String(tail, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }

    /** Deletes the folder. Retries, because child processes of a killed server may still write to it. */
    void delete() {
        for (int attempt = 1; Files.exists(path); attempt++) {
            try (Stream<Path> files = Files.walk(path)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException | UncheckedIOException e) {
                if (attempt == 10) {
                    throw new TestServerException("Cannot delete the temporary folder " + path, e);
                }
                Pause.millis(50);
            }
        }
    }
}
