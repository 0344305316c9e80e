// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.test.server.DatabaseServer;
import io.delayqueue.test.server.TestDatabase;
import org.junit.jupiter.api.BeforeEach;

/** On a real server. */
abstract class ServerMigrationContract extends MigrationContract {

    private DatabaseServer server;

    @BeforeEach
    void connect(DatabaseServer started) {
        server = started;
    }

    @Override
    final String[] database(String name) {
        TestDatabase database = server.createDatabase(name);
        return new String[] {
            "spring.datasource.url=" + database.jdbcUrl(),
            "spring.datasource.username=" + database.user(),
            "spring.datasource.password=" + database.password()
        };
    }
}
