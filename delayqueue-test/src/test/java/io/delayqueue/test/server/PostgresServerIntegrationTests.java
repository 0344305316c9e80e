// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

/** The contract, kept by a real PostgreSQL. */
class PostgresServerIntegrationTests extends DatabaseServerContract {

    @Override
    DatabaseServerBuilder builder() {
        return DatabaseServer.postgres();
    }
}
