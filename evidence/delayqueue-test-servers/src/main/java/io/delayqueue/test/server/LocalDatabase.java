// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A process of ours, or of another user where we are root. */
final class LocalDatabase extends LocalServer implements DatabaseServer {

    private final DatabasePrograms programs;
    private final DatabaseProduct product;
    private final List<String> settings;

    LocalDatabase(DatabasePrograms programs, ServerFolder folder, int port, List<String> settings) {
        super(folder, port);
        this.programs = programs;
        this.product = programs.product();
        this.settings = List.copyOf(settings);
    }

    @Override
    ServerProcess launch() {
        Path data = folder().resolve("data");
        if (!Files.exists(data)) {
            programs.initialize(folder(), data);
        }
        List<String> command = programs.serve(folder(), data, port(), settings);
        return ServerProcess.start(command, Map.of(), folder(), folder().log());
    }

    @Override
    boolean answers() {
        return product.answers(host(), port());
    }

    @Override
    String stopSignal() {
        return product.stopSignal();
    }

    @Override
    public URI uri() {
        return product.uri(host(), port());
    }

    @Override
    public TestDatabase createDatabase(String name) {
        return new DatabaseCreation(product, uri()).create(name);
    }

    @Override
    public String description() {
        return "installed " + product.name() + " (" + programs.server() + ") on " + host() + ":" + port();
    }
}
