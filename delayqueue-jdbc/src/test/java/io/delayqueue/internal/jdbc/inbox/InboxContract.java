// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.delayqueue.TransactionMismatchException;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.jdbc.WritableTransaction;
import io.delayqueue.internal.jdbc.schema.Database;
import io.delayqueue.jdbc.DelayQueueInbox;
import io.delayqueue.jdbc.ReceivedTask;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The guarantees of the inbox, and of the documented fenced updates, in any database. */
abstract class InboxContract {

    private static final String KEY = "0123456789abcdefABCD-_";
    private static final ReceivedTask TASK = new ReceivedTask("orders", KEY);
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private JdbcTemplate jdbc;
    private JdbcTransactionManager manager;
    private TransactionTemplate transaction;
    private DelayQueueInbox inbox;

    /** Returns a database in which {@link #createTables} has created the inbox's table. */
    abstract DataSource dataSource();

    static void createTables(DataSource dataSource, String platform) {
        DatabasePopulatorUtils.execute(
                new ResourceDatabasePopulator(new ClassPathResource("io/delayqueue/jdbc/schema-" + platform + ".sql")),
                dataSource);
    }

    @BeforeEach
    void startEmpty() {
        jdbc = new JdbcTemplate(dataSource());
        manager = new JdbcTransactionManager(dataSource());
        transaction = new TransactionTemplate(manager);
        jdbc.execute("DROP TABLE IF EXISTS effects");
        jdbc.execute("CREATE TABLE effects (id VARCHAR(20) PRIMARY KEY, status VARCHAR(20), fence BIGINT)");
        jdbc.update("DELETE FROM delayqueue_inbox");
        inbox = inboxAt(NOW);
    }

    @Test
    void acceptWhenTheTaskComesAgainIsFalseAndTheTransactionGoesOn() {
        assertThat(accept(TASK)).isTrue();
        boolean again = transaction.execute(status -> {
            boolean first = inbox.accept(TASK);
            jdbc.update("INSERT INTO effects (id) VALUES ('a')");
            return first;
        });
        assertThat(again).isFalse();
        assertThat(count("effects")).as("the transaction could go on").isEqualTo(1);
    }

    @Test
    void acceptWhenTheFirstRolledBackGivesTheNextItsTurn() {
        transaction.executeWithoutResult(status -> {
            assertThat(inbox.accept(TASK)).isTrue();
            assertThat(inbox.accept(TASK)).as("in the same transaction").isFalse();
            status.setRollbackOnly();
        });
        assertThat(accept(TASK)).isTrue();
    }

    @Test
    void acceptWhenASavepointIsRolledBackForgetsTheTask() {
        TransactionTemplate nested = new TransactionTemplate(manager);
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        transaction.executeWithoutResult(outer -> {
            nested.executeWithoutResult(inner -> {
                assertThat(inbox.accept(TASK)).isTrue();
                inner.setRollbackOnly();
            });
            jdbc.update("INSERT INTO effects (id) VALUES ('a')");
        });
        assertThat(count("effects")).isEqualTo(1);
        assertThat(accept(TASK)).isTrue();
    }

    @Test
    void acceptWhenADuplicateIsUnderWayWaitsForItsCommitAndIsFalse() throws Exception {
        assertThat(acceptBeside(true)).isFalse();
        assertThat(count("delayqueue_inbox")).isEqualTo(1);
    }

    @Test
    void acceptWhenADuplicateIsUnderWayWaitsForItsRollbackAndIsTrue() throws Exception {
        assertThat(acceptBeside(false)).isTrue();
        assertThat(count("delayqueue_inbox")).isEqualTo(1);
    }

    @Test
    void acceptWhenKeyOrConsumerDifferIsTrue() {
        assertThat(accept(TASK)).isTrue();
        assertThat(accept(TASK.by("invoices"))).as("another consumer").isTrue();
        assertThat(accept(TASK.by("Orders"))).as("another case").isTrue();
        assertThat(accept(new ReceivedTask("orders", "0123456789ABCDEFABCD-_")))
                .as("another key")
                .isTrue();
        assertThat(accept(TASK.by("~".repeat(64)))).as("a long name").isTrue();
    }

    @Test
    void acceptWithoutATransactionIsRefused() {
        assertThatExceptionOfType(TransactionMismatchException.class)
                .isThrownBy(() -> inbox.accept(TASK))
                .withMessageContaining("@Transactional");
        assertThat(count("delayqueue_inbox")).isZero();
    }

    @Test
    void acceptWhenTheTransactionHasCommittedIsRefused() {
        AtomicReference<Throwable> refusal = new AtomicReference<>();
        transaction.executeWithoutResult(status ->
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        refusal.set(catchThrowable(() -> inbox.accept(TASK)));
                    }
                }));
        assertThat(refusal.get()).isInstanceOf(TransactionMismatchException.class);
        assertThat(count("delayqueue_inbox")).isZero();
    }

    @Test
    void acceptWhenTheTransactionIsReadOnlyIsRefused() {
        transaction.setReadOnly(true);
        assertThatExceptionOfType(TransactionMismatchException.class)
                .isThrownBy(() -> accept(TASK))
                .withMessageContaining("read-only");
        assertThat(count("delayqueue_inbox")).isZero();
    }

    @Test
    void acceptWhenTheTransactionIsAnotherDataSourcesIsRefused() {
        DataSource other = new DriverManagerDataSource("jdbc:h2:mem:other;DB_CLOSE_DELAY=-1");
        transaction = new TransactionTemplate(new JdbcTransactionManager(other));
        transaction.executeWithoutResult(status -> {
            assertThatExceptionOfType(TransactionMismatchException.class)
                    .isThrownBy(() -> inbox.accept(TASK))
                    .withMessageContaining("belongs to another");
            jdbc.queryForObject("SELECT COUNT(*) FROM delayqueue_inbox", Long.class);
            assertThatExceptionOfType(TransactionMismatchException.class)
                    .as("beside a connection that was fetched meanwhile")
                    .isThrownBy(() -> inbox.accept(TASK));
        });
        assertThat(count("delayqueue_inbox")).isZero();
    }

    @Test
    void runOnceWhenTheEffectFailsLeavesTheTaskToTheNextDelivery() {
        assertThatThrownBy(() -> transaction.execute(status -> inbox.runOnce(TASK, () -> {
                    jdbc.update("INSERT INTO effects (id) VALUES ('a')");
                    throw new IllegalStateException("the effect failed");
                })))
                .hasMessage("the effect failed");
        assertThat(count("effects")).isZero();
        Boolean ran = transaction.execute(
                status -> inbox.runOnce(TASK, () -> jdbc.update("INSERT INTO effects (id) VALUES ('a')")));
        assertThat(ran).isTrue();
        Optional<Integer> result = transaction.execute(
                status -> inbox.callOnce(TASK, () -> jdbc.update("INSERT INTO effects (id) VALUES ('a')")));
        assertThat(result).isEmpty();
        assertThat(count("effects")).isEqualTo(1);
    }

    @Test
    void cleanWhenRowsAreOlderThanTheRetentionDeletesThemInBatches() {
        for (int i = 0; i < 25; i++) {
            inbox = inboxAt(NOW.minus(Duration.ofDays(8)).plusSeconds(i));
            accept(new ReceivedTask("orders", "%022d".formatted(i)));
        }
        inbox = inboxAt(NOW.minus(Duration.ofDays(6)));
        accept(TASK);
        assertThat(cleanup(10).clean()).isEqualTo(25);
        assertThat(cleanup(10).clean()).isZero();
        assertThat(accept(TASK)).as("the younger one is kept").isFalse();
    }

    @Test
    void cleanWhenInterruptedEndsAfterABatch() {
        for (int i = 0; i < 25; i++) {
            inbox = inboxAt(NOW.minus(Duration.ofDays(8)));
            accept(new ReceivedTask("orders", "%022d".formatted(i)));
        }
        Thread.currentThread().interrupt();
        try {
            assertThat(cleanup(10).clean()).isZero();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void fencedUpdateWhenALaterDeliveryHasWrittenChangesNothing() {
        jdbc.update("INSERT INTO effects (id, status) VALUES ('a', 'OPEN')");
        assertThat(close("a", "CLOSED", 7)).isTrue();
        assertThat(close("a", "LATE", 6)).as("an earlier one").isFalse();
        assertThat(close("a", "LATE", 7)).as("the same one").isFalse();
        assertThat(close("none", "LATE", 8)).as("no such row").isFalse();
        assertThat(jdbc.queryForObject("SELECT status FROM effects", String.class))
                .isEqualTo("CLOSED");
        assertThat(close("a", "AGAIN", 8)).isTrue();
        assertThat(jdbc.queryForObject("SELECT fence FROM effects", Long.class)).isEqualTo(8);
    }

    private boolean close(String id, String status, long token) {
        return jdbc.update(
                        "UPDATE effects SET status = ?, fence = ? WHERE id = ? AND (fence IS NULL OR fence < ?)",
                        status,
                        token,
                        id,
                        token)
                == 1;
    }

    /** Returns the result for the second of two concurrent deliveries. */
    private boolean acceptBeside(boolean commit) throws Exception {
        CountDownLatch accepted = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Future<?> first = CompletableFuture.runAsync(() -> transaction.executeWithoutResult(status -> {
            assertThat(inbox.accept(TASK)).isTrue();
            accepted.countDown();
            await(mayEnd);
            if (!commit) {
                status.setRollbackOnly();
            }
        }));
        await(accepted);
        Future<Boolean> second = CompletableFuture.supplyAsync(() -> accept(TASK));
        try {
            assertThatThrownBy(() -> second.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        } finally {
            mayEnd.countDown();
        }
        first.get(5, TimeUnit.SECONDS);
        return second.get(5, TimeUnit.SECONDS);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(5, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException ex) {
            throw new AssertionError(ex);
        }
    }

    private boolean accept(ReceivedTask task) {
        return Boolean.TRUE.equals(transaction.execute(status -> inbox.accept(task)));
    }

    private long count(String table) {
        Long count = jdbc.queryForObject("SELECT COUNT(*) FROM " + table, Long.class);
        return (count != null) ? count : -1;
    }

    private DelayQueueInbox inboxAt(Instant moment) {
        return new JdbcInbox(jdbc, new WritableTransaction(dataSource()), table(), clockAt(moment));
    }

    private InboxCleanup cleanup(int batchSize) {
        InboxCleanup.Options options = new InboxCleanup.Options(Duration.ofDays(7), Duration.ofHours(1), batchSize);
        return new InboxCleanup(dataSource(), table(), options, clockAt(NOW), new Scheduler().worker());
    }

    private InboxTable table() {
        return new InboxTable(Database.of(dataSource()), "delayqueue_inbox");
    }

    private static Clock clockAt(Instant moment) {
        return Clock.fixed(moment, ZoneOffset.UTC);
    }
}
