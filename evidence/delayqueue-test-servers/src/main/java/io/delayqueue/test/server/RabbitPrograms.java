// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The installed programs of a RabbitMQ node. */
record RabbitPrograms(Path server, Path ctl, Path epmd) {

    /** Searched before the PATH, where packages install a wrapper that requires the user rabbitmq. */
    private static final List<Path> FOLDERS = List.of(
            Path.of("/usr/lib/rabbitmq/bin"),
            Path.of("/opt/homebrew/opt/rabbitmq/sbin"),
            Path.of("/opt/rabbitmq/sbin"));

    static RabbitPrograms find() {
        return Executable.named(RabbitServer.PROGRAMS_VARIABLE)
                .map(RabbitPrograms::in)
                .orElseGet(RabbitPrograms::installed);
    }

    private static RabbitPrograms in(Path folder) {
        return new RabbitPrograms(
                folder.resolve("rabbitmq-server"), folder.resolve("rabbitmqctl"), folder.resolve("epmd"));
    }

    private static RabbitPrograms installed() {
        Optional<Path> server = Executable.first(FOLDERS.stream().map(folder -> folder.resolve("rabbitmq-server")))
                .or(() -> Executable.onPath("rabbitmq-server"));
        if (server.isEmpty()) {
            throw new TestServerException(
                    "No rabbitmq-server. Install it (Debian and Ubuntu: apt-get install rabbitmq-server;"
                            + " macOS: brew install rabbitmq), or set " + RabbitServer.PROGRAMS_VARIABLE
                            + " to its folder.");
        }
        Path ctl = Executable.first(Stream.of(server.get().resolveSibling("rabbitmqctl")))
                .orElseThrow(() -> new TestServerException("There is no rabbitmqctl beside " + server.get()));
        Path epmd = findEpmd()
                .orElseThrow(() -> new TestServerException("Found " + server.get()
                        + " but neither epmd nor erl on the PATH; add Erlang's bin folder to it."));
        return new RabbitPrograms(server.get(), ctl, epmd);
    }

    private static Optional<Path> findEpmd() {
        return Executable.onPath("epmd").or(() -> Executable.onPath("erl").flatMap(RabbitPrograms::epmdOf));
    }

    private static Optional<Path> epmdOf(Path erl) {
        try {
            // bin/erl of an Erlang root, whose epmd is in erts-<version>/bin
            Path root = erl.toRealPath().resolve("../..").normalize();
            try (Stream<Path> children = Files.list(root)) {
                return Executable.first(Stream.concat(
                                Stream.of(root.resolve("bin")),
                                children.filter(child ->
                                                child.getFileName().toString().startsWith("erts-"))
                                        .map(child -> child.resolve("bin")))
                        .map(folder -> folder.resolve("epmd")));
            }
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
