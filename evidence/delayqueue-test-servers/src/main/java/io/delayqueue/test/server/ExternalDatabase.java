// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.net.URI;

/** The database server at the address in the product's environment variable. */
final class ExternalDatabase extends ExternalServer implements DatabaseServer {

    private final DatabaseProduct product;

    ExternalDatabase(DatabaseProduct product, URI uri) {
        super(product.name(), product.addressVariable(), uri, product.defaultPort());
        this.product = product;
    }

    @Override
    boolean answers() {
        return product.answers(host(), port());
    }

    @Override
    public TestDatabase createDatabase(String name) {
        return new DatabaseCreation(product, uri()).create(name);
    }
}
