// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.util.ArrayList;
import java.util.List;

/** Builder for a {@link DatabaseServer}. Not thread-safe. */
public final class DatabaseServerBuilder {

    private final DatabaseProduct product;
    private final List<String> settings = new ArrayList<>();
    private boolean flushed = true;

    DatabaseServerBuilder(DatabaseProduct product) {
        this.product = product;
    }

    /** Adds a setting of the server, for example {@code max_connections=300}. */
    public DatabaseServerBuilder config(String setting) {
        settings.add(setting);
        return this;
    }

    /** Leaves the flush of commits to the operating system, for tests that kill only processes. */
    public DatabaseServerBuilder unflushed() {
        flushed = false;
        return this;
    }

    /**
     * Returns a handle of a server that has not been started.
     *
     * @throws TestServerException if this machine has no such server; the message explains how to install one
     */
    public DatabaseServer build() {
        DatabasePrograms programs = DatabasePrograms.find(product);
        List<String> all = new ArrayList<>(flushed ? List.of() : product.unflushed());
        all.addAll(settings);
        return new DatabaseServer(programs, new ServerFolder(product.scheme()), FreePort.next(), all);
    }

    /** {@link #build()} and {@link DatabaseServer#start()}; leaves nothing behind if that fails. */
    public DatabaseServer start() {
        DatabaseServer server = build();
        try {
            server.start();
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }
}
