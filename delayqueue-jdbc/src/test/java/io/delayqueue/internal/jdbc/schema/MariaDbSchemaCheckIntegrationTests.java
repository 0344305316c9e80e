// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.TestDatabase;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

@DelayQueueServers(database = DelayQueueServers.Database.MARIADB)
class MariaDbSchemaCheckIntegrationTests {

    @Test
    void requireWhenTheTablesAreNewerThanTheCallersSnapshotReadsThem(TestDatabase server) {
        DriverManagerDataSource database =
                new DriverManagerDataSource(server.jdbcUrl(), server.user(), server.password());
        JdbcTemplate jdbc = new JdbcTemplate(database);
        jdbc.execute("CREATE TABLE orders (id INT PRIMARY KEY) ENGINE = InnoDB");
        TableNames names = new TableNames("late_");
        TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(database));
        transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);

        Database found = transaction.execute(status -> {
            jdbc.queryForList("SELECT id FROM orders", Integer.class); // begins the snapshot
            new TableScripts(database, DatabaseInitializationMode.ALWAYS, names).run();
            return new SchemaCheck(database, names).require("outbox", 1);
        });

        assertThat(found).isEqualTo(Database.MYSQL);
    }

    @Test
    void requireWhenTheUserMayNotReadTheTablesDoesNotReportThemAsMissing(TestDatabase server) {
        Matcher url = Pattern.compile("(.*/)(\\w+)(.*)").matcher(server.jdbcUrl());
        assertThat(url.matches()).isTrue();
        UnreadableTable.verifyMissingRight(
                server,
                "CREATE USER guest IDENTIFIED BY 'guest'",
                url.group(1) + "information_schema" + url.group(3),
                url.group(2) + ".");
    }

    @Test
    void requireWhenAnotherProgramCreatedTheTableSaysToCheckIt(TestDatabase server) {
        UnreadableTable.verifyForeignTable(server);
    }
}
