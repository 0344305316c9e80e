// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.test.server.DatabaseServer;
import io.delayqueue.test.server.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** What a test class has of the database server that it shares with others; the same for each product. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class SharedDatabaseContract {

    private static TestDatabase ofTheClass;

    @BeforeAll
    static void remember(TestDatabase database) {
        ofTheClass = database;
    }

    @Test
    @Order(1)
    void databaseIsTheOneOfTheClass(TestDatabase database, DatabaseServer server) throws SQLException {
        assertThat(database).isEqualTo(ofTheClass);
        try (Connection connection = database.connect()) {
            assertThat(connection.isValid(5)).isTrue();
        }
        server.kill();
    }

    @Test
    @Order(2)
    void serverThatATestKilledRunsAgainInTheNext(TestDatabase database) throws SQLException {
        try (Connection connection = database.connect()) {
            assertThat(connection.isValid(5)).isTrue();
        }
    }

    @Nested
    class NestedClass {

        @Test
        void nestedClassSharesTheDatabase(TestDatabase database) {
            assertThat(database).isEqualTo(ofTheClass);
        }
    }
}
