// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.schema;

import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.TestDatabase;
import org.junit.jupiter.api.Test;

@DelayQueueServers(database = DelayQueueServers.Database.POSTGRES)
class PostgresSchemaCheckIntegrationTests {

    @Test
    void requireWhenTheUserMayNotReadTheTablesDoesNotReportThemAsMissing(TestDatabase server) {
        UnreadableTable.verifyMissingRight(
                server, "CREATE ROLE guest LOGIN PASSWORD 'guest'", server.jdbcUrl(), "public.");
    }

    @Test
    void requireWhenAnotherProgramCreatedTheTableSaysToCheckIt(TestDatabase server) {
        UnreadableTable.verifyForeignTable(server);
    }
}
