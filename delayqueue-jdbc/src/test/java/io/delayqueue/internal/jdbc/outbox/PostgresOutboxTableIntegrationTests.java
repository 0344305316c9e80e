// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.jdbc.schema.Database;
import io.delayqueue.internal.jdbc.schema.TableNames;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@DelayQueueServers(database = DelayQueueServers.Database.POSTGRES)
class PostgresOutboxTableIntegrationTests {

    private static final int MANY = 20_000;
    private static final int BATCH = 100;

    private SingleConnectionDataSource database;
    private JdbcTemplate jdbc;
    private OutboxTable table;
    private TransactionTemplate transactions;

    @BeforeEach
    void connect(TestDatabase server) {
        database = new SingleConnectionDataSource(server.jdbcUrl(), server.user(), server.password(), true);
        jdbc = new JdbcTemplate(database);
        DatabasePopulatorUtils.execute(
                new ResourceDatabasePopulator(new ClassPathResource("io/delayqueue/jdbc/schema-postgresql.sql")),
                database);
        jdbc.update("DELETE FROM delayqueue_outbox");
        table = new OutboxTable(database, Database.POSTGRESQL, TableNames.DEFAULT);
        transactions = OutboxTransactions.of(database, Database.POSTGRESQL);
    }

    @AfterEach
    void close() {
        jdbc.update("DELETE FROM delayqueue_outbox");
        database.destroy();
    }

    /** Or a backlog would be drained in a time that grows by its square. */
    @Test
    void availableWhenThereAreManyReadsNoMoreThanItIsAskedFor() {
        insertMany();

        assertThat(tuplesReadBy(() -> assertThat(table.available(0, BATCH)).hasSize(BATCH)))
                .isLessThan(2 * BATCH);
    }

    @Test
    void rowsWhenTheirPlansAreOfATimeWithFewRowsAreTakenAndDeletedByIndex() {
        for (int i = 0; i < 10; i++) { // by then the server has plans, which it keeps
            tuplesReadBy(this::takeAndDelete);
        }
        insertMany();

        assertThat(tuplesReadBy(this::takeAndDelete)).isLessThan(10 * BATCH);
    }

    /** Without the settings of the outbox's transactions, as it asks outside of any. */
    @Test
    void lookWhenItWasAskedInATimeWithFewRowsReadsOneRow() {
        jdbc.execute("TRUNCATE delayqueue_outbox"); // or pages of rows that were deleted are there still
        insert(1);
        jdbc.execute("ANALYZE delayqueue_outbox"); // with which a plan for one row needs no index
        TransactionTemplate plain = new TransactionTemplate(new JdbcTransactionManager(database));
        for (int i = 0; i < 20; i++) { // by then the server has a plan for what is prepared, which it keeps
            tuplesReadBy(() -> table.look(0), plain);
        }
        jdbc.update("DELETE FROM delayqueue_outbox");
        insertMany();

        assertThat(tuplesReadBy(() -> assertThat(table.look(0).any()).isTrue(), plain))
                .isLessThan(BATCH);
    }

    /** Otherwise each search of an idle relay would read all of them during a backup. */
    @Test
    void lookWhenAnOldSnapshotKeepsDeletedRowsReadsThemOnce(TestDatabase server) throws SQLException {
        try (Connection old = server.connect();
                Statement statement = old.createStatement()) {
            old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            old.setAutoCommit(false);
            statement.executeQuery("SELECT COUNT(*) FROM delayqueue_outbox").close();
            insertMany();
            jdbc.update("DELETE FROM delayqueue_outbox");
            AtomicLong place = new AtomicLong();

            long first = blocksReadBy(() -> place.set(table.look(0).from()));
            long next =
                    blocksReadBy(() -> assertThat(table.look(place.get()).any()).isFalse());

            assertThat(first).isGreaterThan(BATCH);
            assertThat(next).isLessThan(BATCH / 2);
            old.rollback();
        }
    }

    private long blocksReadBy(Runnable work) {
        long before = blocksRead();
        work.run();
        return blocksRead() - before;
    }

    private long blocksRead() {
        jdbc.queryForList("SELECT pg_stat_force_next_flush()");
        Long blocks = jdbc.queryForObject(
                "SELECT COALESCE(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit, 0)"
                        + " FROM pg_statio_user_tables WHERE relname = 'delayqueue_outbox'",
                Long.class);
        return blocks == null ? 0 : blocks;
    }

    private void takeAndDelete() {
        List<RowKey> keys =
                table.available(0, BATCH).stream().map(OutboxRow::key).toList();
        List<RowKey> asked = keys.isEmpty() ? List.of(RowKey.of("orders", "none")) : keys;
        table.take(asked, Duration.ofMinutes(1));
        table.read(asked);
        table.hold(asked);
        table.present(asked);
        table.delete(asked);
    }

    private void insertMany() {
        insert(MANY);
    }

    private void insert(int rows) {
        jdbc.update(
                "INSERT INTO delayqueue_outbox SELECT decode(md5(i::text), 'hex'), 'orders', 'id-' || i, 1, ''::bytea,"
                        + " i, i, 0 FROM generate_series(1, " + rows + ") AS i");
    }

    private long tuplesReadBy(Runnable work) {
        return tuplesReadBy(work, transactions);
    }

    private long tuplesReadBy(Runnable work, TransactionTemplate within) {
        Long read = within.execute(status -> {
            work.run();
            return jdbc.queryForObject(
                    "SELECT COALESCE(seq_tup_read, 0) + COALESCE(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables"
                            + " WHERE relname = 'delayqueue_outbox'",
                    Long.class);
        });
        return read == null ? -1 : read;
    }
}
