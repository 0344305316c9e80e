// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Finds and runs programs on this machine. */
final class Executable {

    private Executable() {}

    static Optional<Path> onPath(String name) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return first(Arrays.stream(path.split(File.pathSeparator))
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder, name)));
    }

    /** Returns the path in this environment variable, if set. */
    static Optional<Path> named(String variable) {
        return Optional.ofNullable(System.getenv(variable))
                .filter(value -> !value.isBlank())
                .map(value -> Path.of(value.strip()));
    }

    /**
     * Returns the standard output of a command. Fails if the command returns an error or does not end within a minute.
     */
    static String output(List<String> command, Map<String, String> environment) {
        String line = String.join(" ", command);
        try {
            Path errors = Files.createTempFile("delayqueue-", ".err");
            Path output = Files.createTempFile("delayqueue-", ".out");
            try {
                ProcessBuilder builder = new ProcessBuilder(command)
                        .redirectOutput(output.toFile())
                        .redirectError(errors.toFile());
                builder.environment().keySet().removeIf(ServerProcess::belongsToAnotherServer);
                builder.environment().putAll(environment);
                Process process = builder.start();
                boolean ended = process.waitFor(60, TimeUnit.SECONDS);
                process.destroyForcibly();
                if (!ended || process.exitValue() != 0) {
                    String outcome = ended ? "exit code " + process.exitValue() : "no end within 60 s";
                    throw new TestServerException(
                            line + ": " + outcome + "\n" + Files.readString(errors) + Files.readString(output));
                }
                return Files.readString(output);
            } finally {
                Files.delete(errors);
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new TestServerException("Cannot run " + line, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TestServerException("Interrupted while running " + line, e);
        }
    }

    static Optional<Path> first(Stream<Path> candidates) {
        return candidates
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }
}
