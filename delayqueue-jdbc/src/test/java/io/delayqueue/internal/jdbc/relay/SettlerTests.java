// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.jdbc.outbox.FreshRow;
import io.delayqueue.internal.jdbc.outbox.Operation;
import io.delayqueue.internal.jdbc.outbox.OutboxRow;
import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import io.delayqueue.internal.jdbc.outbox.OutboxTransactions;
import io.delayqueue.internal.jdbc.outbox.RejectedTable;
import io.delayqueue.internal.jdbc.outbox.RowKey;
import io.delayqueue.internal.jdbc.schema.Database;
import io.delayqueue.internal.jdbc.schema.TableNames;
import io.delayqueue.internal.transaction.TaskChange;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Against an H2 in memory. */
class SettlerTests {

    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final int BATCH = 5;

    private final AtomicInteger connections = new AtomicInteger();
    private final DataSource database =
            new DelegatingDataSource(new DriverManagerDataSource("jdbc:h2:mem:settler;DB_CLOSE_DELAY=-1")) {

                @Override
                public Connection getConnection() throws SQLException {
                    connections.incrementAndGet();
                    return super.getConnection();
                }
            };
    private final JdbcTemplate jdbc = new JdbcTemplate(database);
    private final OutboxTable table = new OutboxTable(database, Database.H2, TableNames.DEFAULT);
    private final List<FreshRow> grown = new ArrayList<>();
    private final Settlements settlements = new Settlements(
            table,
            new RejectedTable(database, TableNames.DEFAULT),
            OutboxTransactions.of(database, Database.H2),
            LEASE);
    /** It gathers for longer than any test waits. */
    private final Settler settler = new Settler(settlements, List.of(), BATCH, Duration.ofHours(1), grown::addAll);

    @BeforeEach
    void start() {
        DatabasePopulatorUtils.execute(
                new ResourceDatabasePopulator(new ClassPathResource("io/delayqueue/jdbc/schema-h2.sql")), database);
    }

    @AfterEach
    void stop() {
        jdbc.execute("DROP ALL OBJECTS");
    }

    @Test
    void rowsWhenThereAreFewAreDeletedTogetherWithOthers() {
        settler.add(List.of(sent("a")));
        settler.add(List.of(sent("b")));
        assertThat(settler.untilDue()).isPositive();

        settler.add(IntStream.range(0, BATCH - 2)
                .mapToObj(number -> sent("id-" + number))
                .toList());

        assertThat(settler.untilDue()).isZero();
        settler.settle();
        assertThat(table.count(10)).isZero();
        assertThat(settler.untilDue()).isEqualTo(RelayWorker.UNTIL_SIGNALLED);
    }

    /** An application may hold it for minutes. */
    @Test
    void rowsWhenATransactionHoldsThemAreTriedLessAndLessOften() {
        SentRow held = sent("held");
        settler.add(List.of(held));
        new TransactionTemplate(new JdbcTransactionManager(database)).executeWithoutResult(status -> {
            jdbc.queryForList("SELECT row_key FROM delayqueue_outbox FOR UPDATE");
            List<Duration> pauses = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                CompletableFuture.runAsync(settler::settle).join();
                pauses.add(settler.untilDue());
            }
            assertThat(pauses.get(0)).isLessThanOrEqualTo(Duration.ofMillis(50));
            assertThat(pauses.subList(0, 6)).isSorted();
            assertThat(pauses.get(7)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
            settler.hurry();
            assertThat(settler.untilDue()).isZero();
        });

        settler.settle();

        assertThat(table.count(10)).isZero();
    }

    @Test
    void rowsWhenOthersAreHeldAreGatheredAsLongAsEver() {
        settler.add(List.of(sent("held")));
        new TransactionTemplate(new JdbcTransactionManager(database)).executeWithoutResult(status -> {
            jdbc.queryForList("SELECT row_key FROM delayqueue_outbox FOR UPDATE");
            CompletableFuture.runAsync(() -> {
                        settler.settle();
                        settler.settle();
                        settler.add(IntStream.range(0, BATCH)
                                .mapToObj(number -> sent("id-" + number))
                                .toList());
                        assertThat(settler.untilDue()).isZero();
                        settler.settle();
                    })
                    .join();
        });
        assertThat(table.count(10)).isEqualTo(1);
    }

    /** The settings of the outbox's transactions, which make the database use the index, apply to all queries. */
    @Test
    void settleWhenARowIsNotThereAnyMoreFindsThatOutInTheSameTransaction() {
        SentRow gone = sent("gone");
        RowKey key = gone.row().key();
        table.delete(List.of(key));
        connections.set(0);

        assertThat(settlements.settle(Map.of(key, gone)).over()).containsExactly(key);

        assertThat(connections).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void settleWhenAnOperationIsLeftKeepsItAndTheLaterOnesAndSendsThemNowUnlessItMayStillRun(boolean uncertain) {
        TakenRow taken = sent("a").taken();
        add("a");
        byte[] all = operations();
        byte[] later = Arrays.copyOfRange(all, taken.row().operations().length, all.length);
        byte[] left = {7};

        settler.add(List.of(new SentRow(taken, List.of(), left, uncertain)));
        settler.settle();
        settler.add(List.of(new SentRow(taken, List.of(), left, uncertain))); // As after an unknown commit.
        settler.settle();

        assertThat(operations()).startsWith(left).endsWith(later).hasSize(left.length + later.length);
        assertThat(grown).hasSize(uncertain ? 0 : 1);
    }

    private byte[] operations() {
        return table.read(List.of(RowKey.of("orders", "a"))).get(0).operations();
    }

    private SentRow sent(String id) {
        add(id);
        OutboxRow row = table.read(List.of(RowKey.of("orders", id))).get(0);
        TakenRow taken = new TakenRow(row, row.attempts(), System.nanoTime() + LEASE.toNanos());
        return new SentRow(taken, List.of(), SentRow.NONE, false);
    }

    private void add(String id) {
        Operation operation = new Operation(5, new TaskChange.Cancel("orders", id, 0));
        table.add(List.of(operation), 0, LEASE);
    }
}
