// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Describes the {@link DatabaseServer} to start. Not for use by several threads at once. */
public final class DatabaseServerBuilder {

    private final DatabaseProduct product;
    private final List<String> settings = new ArrayList<>();
    private boolean flushed = true;
    private boolean own;

    DatabaseServerBuilder(DatabaseProduct product) {
        this.product = product;
    }

    /** Adds a setting of the server, for example {@code max_connections=300}. */
    public DatabaseServerBuilder config(String setting) {
        settings.add(setting);
        return own();
    }

    /** Leaves the flush of commits to the operating system, for tests in which only processes die. */
    public DatabaseServerBuilder unflushed() {
        flushed = false;
        return this;
    }

    /** A process of the test's own, whatever address the environment names: the test will stop or kill it. */
    public DatabaseServerBuilder own() {
        own = true;
        return this;
    }

    /**
     * A handle that has not been started.
     *
     * @throws TestServerException if no such server can be had on this machine; the message tells how to get one
     */
    public DatabaseServer build() {
        Optional<URI> address = own ? Optional.empty() : ExternalServer.address(product.addressVariable());
        if (address.isPresent()) {
            return new ExternalDatabase(product, address.get());
        }
        DatabasePrograms programs = DatabasePrograms.find(product);
        List<String> all = new ArrayList<>(flushed ? List.of() : product.unflushed());
        all.addAll(settings);
        return new LocalDatabase(programs, new ServerFolder(product.scheme()), FreePort.next(), all);
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
