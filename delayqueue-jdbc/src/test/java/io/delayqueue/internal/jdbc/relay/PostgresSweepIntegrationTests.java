// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import io.delayqueue.internal.jdbc.outbox.OutboxTransactions;
import io.delayqueue.internal.jdbc.schema.Database;
import io.delayqueue.internal.jdbc.schema.TableNames;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

@DelayQueueServers(database = DelayQueueServers.Database.POSTGRES)
class PostgresSweepIntegrationTests {

    private static final int SENT = 100_000;
    private static final int LOOKS = 50;

    /**
     * PostgreSQL keeps deleted rows while a backup or a report reads an old snapshot, and a look without a place reads
     * them all.
     */
    @Test
    void takeWhenAnOldSnapshotKeepsAHundredThousandSentRowsReadsThemOnce(TestDatabase server) throws Exception {
        SingleConnectionDataSource database =
                new SingleConnectionDataSource(server.jdbcUrl(), server.user(), server.password(), true);
        JdbcTemplate jdbc = new JdbcTemplate(database);
        DatabasePopulatorUtils.execute(
                new ResourceDatabasePopulator(new ClassPathResource("io/delayqueue/jdbc/schema-postgresql.sql")),
                database);
        try (Connection old = server.connect();
                Statement statement = old.createStatement()) {
            old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            old.setAutoCommit(false);
            statement.executeQuery("SELECT COUNT(*) FROM delayqueue_outbox").close();
            jdbc.update("INSERT INTO delayqueue_outbox SELECT decode(md5(i::text), 'hex'), 'orders', 'id-' || i, 1,"
                    + " ''::bytea, i, i, 0 FROM generate_series(1, " + SENT + ") AS i");
            jdbc.update("DELETE FROM delayqueue_outbox");
            Sweep sweep = new Sweep(
                    new OutboxTable(database, Database.POSTGRESQL, TableNames.DEFAULT),
                    OutboxTransactions.of(database, Database.POSTGRESQL),
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(1),
                    () -> {});

            long first = blocksReadBy(jdbc, sweep, 1);
            long others = blocksReadBy(jdbc, sweep, LOOKS);

            assertThat(first).as("what a look without a place reads").isGreaterThan(500);
            assertThat(others / LOOKS).as("blocks of a look").isLessThan(10);
            old.rollback();
        } finally {
            jdbc.update("DELETE FROM delayqueue_outbox");
            database.destroy();
        }
    }

    private static long blocksReadBy(JdbcTemplate jdbc, Sweep sweep, int looks) {
        long before = blocksRead(jdbc);
        for (int i = 0; i < looks; i++) {
            sweep.hurry();
            assertThat(sweep.take(100)).isEmpty();
        }
        return blocksRead(jdbc) - before;
    }

    private static long blocksRead(JdbcTemplate jdbc) {
        jdbc.queryForList("SELECT pg_stat_force_next_flush()");
        Long blocks = jdbc.queryForObject(
                "SELECT COALESCE(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit, 0)"
                        + " FROM pg_statio_user_tables WHERE relname = 'delayqueue_outbox'",
                Long.class);
        return (blocks == null) ? 0 : blocks;
    }
}
