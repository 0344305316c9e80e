// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.jdbc.schema.TableNames;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** Against an H2 in memory. */
class OutboxErasureTests {

    private final DataSource database = new DriverManagerDataSource("jdbc:h2:mem:outboxerasure;DB_CLOSE_DELAY=-1");

    /** An application that locks one row after the other must not keep the erasure waiting. */
    @Test
    void eraseWhenRowsStayLockedWaitsTenSecondsInTotal() throws SQLException {
        DatabasePopulatorUtils.execute(
                new ResourceDatabasePopulator(new ClassPathResource("io/delayqueue/jdbc/schema-h2.sql")), database);
        List<Long> deleted = new ArrayList<>();
        try (Connection one = locking("a");
                Connection other = locking("b")) {
            assertThatExceptionOfType(DelayQueueException.class)
                    .isThrownBy(() -> new OutboxErasure(database, TableNames.DEFAULT).erase("orders", "", rows -> {
                        deleted.add(rows);
                        if (deleted.size() == 60) {
                            end(one);
                        }
                        return true;
                    }))
                    .withMessageStartingWith("Open transactions have locked 1 rows of the outbox");
            end(other);
        }
        assertThat(deleted).hasSize(101).containsOnlyOnce(1L);
    }

    /** Adds a row and locks it with a transaction. */
    private Connection locking(String id) throws SQLException {
        new JdbcTemplate(database)
                .update(
                        "INSERT INTO delayqueue_outbox VALUES (?, 'orders', ?, 1, ?, 0, 0, 0)",
                        RowKey.of("orders", id).bytes(),
                        id,
                        new byte[] {1});
        Connection connection = database.getConnection();
        connection.setAutoCommit(false);
        new JdbcTemplate(new SingleConnectionDataSource(connection, true))
                .update("UPDATE delayqueue_outbox SET attempts = 1 WHERE task_id = ?", id);
        return connection;
    }

    private static void end(Connection transaction) {
        try {
            transaction.rollback();
        } catch (SQLException ex) {
            throw new AssertionError(ex);
        }
    }
}
