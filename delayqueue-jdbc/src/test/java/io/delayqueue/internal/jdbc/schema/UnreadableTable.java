// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.schema;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.test.server.TestDatabase;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Verifies that the check reports tables as unreadable, so that an erasure does not report that it found none. */
final class UnreadableTable {

    private UnreadableTable() {}

    /**
     * Verifies the check of a user without rights.
     *
     * @param statement creates the user guest without rights
     * @param url connects guest to the server
     * @param schema schema of the tables, with a dot
     */
    static void verifyMissingRight(TestDatabase server, String statement, String url, String schema) {
        DriverManagerDataSource owner = new DriverManagerDataSource(server.jdbcUrl(), server.user(), server.password());
        TableNames names = new TableNames("secret_");
        new TableScripts(owner, DatabaseInitializationMode.ALWAYS, names).run();
        new JdbcTemplate(owner).execute(statement);
        DriverManagerDataSource guest = new DriverManagerDataSource(url, "guest", "guest");

        assertThatExceptionOfType(InvalidDelayQueueSetupException.class)
                .isThrownBy(() -> new SchemaCheck(guest, new TableNames(schema + "secret_")).require("outbox", 1))
                .isNotInstanceOf(MissingTablesException.class)
                .withMessageStartingWith("The table " + schema + "secret_schema_version could not be read: ")
                .withMessageContaining("Grant the database user SELECT");
        assertThatExceptionOfType(MissingTablesException.class)
                .isThrownBy(() -> new SchemaCheck(owner, new TableNames("none_")).require("outbox", 1));
    }

    /** Verifies the check of a table that another program created. A right would not help. */
    static void verifyForeignTable(TestDatabase server) {
        DriverManagerDataSource owner = new DriverManagerDataSource(server.jdbcUrl(), server.user(), server.password());
        new JdbcTemplate(owner).execute("CREATE TABLE foreign_schema_version (version INTEGER)");

        assertThatExceptionOfType(InvalidDelayQueueSetupException.class)
                .isThrownBy(() -> new SchemaCheck(owner, new TableNames("foreign_")).require("outbox", 1))
                .isNotInstanceOf(MissingTablesException.class)
                .withMessageMatching("(?s)The table foreign_schema_version could not be read: .*component.*"
                        + "Check the table\\. .*delayqueue\\.jdbc\\.table-prefix.*");
    }
}
