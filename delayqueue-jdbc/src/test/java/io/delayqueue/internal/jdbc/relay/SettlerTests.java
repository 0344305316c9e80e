// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.internal.jdbc.outbox.Callers;
import io.delayqueue.internal.jdbc.outbox.FreshRow;
import io.delayqueue.internal.jdbc.outbox.Operation;
import io.delayqueue.internal.jdbc.outbox.OperationFormat;
import io.delayqueue.internal.jdbc.outbox.OutboxDialect;
import io.delayqueue.internal.jdbc.outbox.OutboxRow;
import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import io.delayqueue.internal.jdbc.outbox.RejectedTable;
import io.delayqueue.internal.jdbc.outbox.RowKey;
import io.delayqueue.internal.jdbc.schema.TableNames;
import io.delayqueue.internal.transaction.TaskChange;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
    private final OutboxTable table = new OutboxTable(database, OutboxDialect.H2, TableNames.DEFAULT);
    private final List<FreshRow> grown = new CopyOnWriteArrayList<>();
    private final Settlements settlements = new Settlements(
            table,
            new RejectedTable(database, TableNames.DEFAULT),
            new TransactionTemplate(new JdbcTransactionManager(database)),
            LEASE);
    /** It gathers for longer than any test waits. */
    private final Settler settler = new Settler(
            settlements,
            new Callers(LEASE),
            List.of(),
            BATCH,
            new Brake("The database", LEASE),
            Duration.ofHours(1),
            grown::addAll);

    @BeforeEach
    void start() {
        DatabasePopulatorUtils.execute(
                new ResourceDatabasePopulator(new ClassPathResource("io/delayqueue/jdbc/schema-h2.sql")), database);
        settler.loop().start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        settler.stop(Duration.ofSeconds(10));
        jdbc.execute("DROP ALL OBJECTS");
    }

    @Test
    void rowsWhenThereAreFewAreDeletedTogetherWithOthers() {
        settler.settle(List.of(sent("a")));
        settler.settle(List.of(sent("b")));
        await().during(Duration.ofMillis(300)).until(() -> table.count(10) == 2);

        settler.settle(IntStream.range(0, BATCH - 2)
                .mapToObj(number -> sent("id-" + number))
                .toList());

        await().until(() -> table.count(10) == 0);
    }

    @Test
    void operationsWhenTheyAreAddedToARowThatWasSentAreNotKeptWaiting() {
        Settler.Settlement sent = sent("a");
        settler.settle(List.of(sent));
        add("a");

        settler.hurry();

        await().until(() -> !grown.isEmpty());
        assertThat(grown)
                .singleElement()
                .satisfies(
                        row -> assertThat(row.key()).isEqualTo(sent.sent().row().key()));
        assertThat(table.read(List.of(RowKey.of("orders", "a"))))
                .singleElement()
                .satisfies(row -> assertThat(row.operations())
                        .hasSameSizeAs(sent.sent().row().operations()));
    }

    /** The row may be on its way to Redis. */
    @Test
    void operationsWhenTheyAreAddedToARowThatIsBeingSentAreNotKeptWaiting() {
        Settler.Settlement sent = sent("a");
        add("a");
        settler.hurry();

        settler.settle(List.of(sent));

        await().until(() -> !grown.isEmpty());
    }

    @Test
    void rowsWhenTheRelayStopsAreDeleted() throws InterruptedException {
        settler.settle(List.of(sent("a")));

        settler.stop(Duration.ofSeconds(10));

        assertThat(table.count(10)).isZero();
    }

    /** The settings of the outbox's transactions, which have rows found by their index, go for all that is asked. */
    @Test
    void settleWhenARowIsNotThereAnyMoreFindsThatOutInTheSameTransaction() {
        Settler.Settlement gone = sent("gone");
        RowKey key = gone.sent().row().key();
        table.delete(List.of(key));
        connections.set(0);

        assertThat(settlements.settle(Map.of(key, gone)).over()).containsExactly(key);

        assertThat(connections).hasValue(1);
    }

    private Settler.Settlement sent(String id) {
        add(id);
        OutboxRow row = table.read(List.of(RowKey.of("orders", id))).get(0);
        return new Settler.Settlement(
                new SentRow(row, List.of(), null, false), row.attempts(), System.nanoTime() + LEASE.toNanos());
    }

    private void add(String id) {
        Operation operation = new Operation(5, new TaskChange.Cancel("orders", id, 0));
        table.add(RowKey.of("orders", id), operation, OperationFormat.encode(operation, 0), LEASE);
    }
}
