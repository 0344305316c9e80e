// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.internal.jdbc.outbox.Operation;
import io.delayqueue.internal.jdbc.outbox.OperationFormat;
import io.delayqueue.internal.transaction.TaskChange;
import io.delayqueue.test.server.RedisServer;
import io.lettuce.core.RedisClient;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The guarantees of the outbox while applications start, stop or change their settings, on any database. */
abstract class OutboxProcessesContract extends OutboxScene {

    /** Times that a row was taken. */
    private static final int MANY = 1000;

    private final String keyPrefix = "t" + System.nanoTime();
    private OutboxApplication app;

    @Override
    final String keyPrefix() {
        return keyPrefix;
    }

    @AfterEach
    void stop() {
        if (app != null) {
            app.close();
        }
        deleteRows(); // some have no relay
    }

    @Test
    void operationsWhenTheProcessDiesAfterTheCommitAreSentByASweep() {
        app = start("delayqueue.jdbc.relay.enabled=false");
        app.transactions().executeWithoutResult(status -> {
            app.outbox().schedule(request("now", Duration.ZERO));
            app.outbox().schedule(request("later", LATER));
        });
        assertThat(app.rows()).isEqualTo(2);
        app.close();
        app = start();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(app.heard().delivered).containsExactly("now"));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        assertThat(app.tasks().find("orders", "later")).isPresent();
    }

    /** As after a crash between the call to Redis and the deletion of the row. */
    @Test
    void operationsWhenTheyAreSentAgainStoreTheTaskOnce() {
        app = start("delayqueue.jdbc.relay.enabled=false");
        app.transactions().executeWithoutResult(status -> app.outbox().schedule(request("a", LATER)));
        Map<String, Object> row = app.jdbc().queryForMap("SELECT * FROM delayqueue_outbox");
        app.close();
        app = start();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        app.jdbc()
                .update(
                        "INSERT INTO delayqueue_outbox (row_key, queue_name, task_id, version, operations,"
                                + " available_at, created_at, attempts) VALUES (?, 'orders', 'a', 1, ?, ?, ?, 0)",
                        row.get("row_key"),
                        row.get("operations"),
                        System.currentTimeMillis() + 1000, // as any row, after its commit
                        System.currentTimeMillis());

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        assertThat(app.heard().sent)
                .extracting(sent -> ((ScheduleResult) sent.outcome()).outcome())
                .containsExactly(ScheduleOutcome.CREATED, ScheduleOutcome.CREATED);
        assertThat(app.tasks().cancel("orders", "a")).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(app.tasks().cancel("orders", "a")).isEqualTo(CancelOutcome.NOT_FOUND);
    }

    /** As after a crash between the calls to Redis and the deletion of the row, or of its first operations. */
    @ParameterizedTest
    @ValueSource(strings = {"DELETE", "UPDATE"})
    void schedulesWhenTheyAreSentAgainAfterEarlierChangesKeepTheirDueTimeAndPayload(String refused) {
        Instant due = Instant.now().plus(Duration.ofHours(3)).truncatedTo(ChronoUnit.MILLIS);
        Instant earlier = due.minusSeconds(60);
        app = start(refusing(refused));
        app.tasks().schedule(request("a", LATER));
        app.transactions().executeWithoutResult(status -> {
            app.outbox().reschedule("orders", "a", Due.at(earlier));
            app.outbox().updatePayload("orders", "a", "old");
            app.outbox().schedule(requestAt("a", "new", due));
        });
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(dueAt("a")).isEqualTo(refused.equals("DELETE") ? due : earlier));
        app.close();
        app = start();

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        assertThat(dueAt("a")).isEqualTo(due);
        assertThat(app.tasks().find("orders", "a", String.class).orElseThrow().payload())
                .isEqualTo("new");
    }

    @Test
    void shiftsOfAGroupWhenTheyAreSentAgainAfterEarlierChangesAreKept() {
        Instant due = Instant.now().plus(Duration.ofHours(3)).truncatedTo(ChronoUnit.MILLIS);
        String id = TaskIds.inGroup("shop", "a");
        app = start(refusing("DELETE"));
        app.tasks().schedule(request(id, LATER));
        app.transactions().executeWithoutResult(status -> {
            app.outbox().reschedule("orders", id, Due.at(due));
            app.outbox().group("orders", "shop").shift(Duration.ofHours(1));
        });
        Instant shifted = due.plus(Duration.ofHours(1));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(dueAt(id)).isEqualTo(shifted));
        app.close();
        app = start();

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        assertThat(dueAt(id)).isEqualTo(shifted);
    }

    private Instant dueAt(String id) {
        return app.tasks().find("orders", id).orElseThrow().dueAt();
    }

    private static ScheduleRequest<?> requestAt(String id, String payload, Instant due) {
        return ScheduleRequest.to("orders").id(id).payload(payload).dueAt(due).build();
    }

    /** Refuses the statements that delete rows, or that remove operations from them. */
    private DataSource refusing(String verb) {
        return new DelegatingDataSource(dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                return (Connection) Proxy.newProxyInstance(
                        OutboxProcessesContract.class.getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (proxy, method, arguments) -> {
                            String sql = method.getName().equals("prepareStatement") ? (String) arguments[0] : "";
                            if (sql.startsWith(verb + " ") && !sql.contains(" SET available_at")) {
                                throw new SQLException("This test refuses to " + verb);
                            }
                            try {
                                return method.invoke(connection, arguments);
                            } catch (InvocationTargetException ex) {
                                throw ex.getCause();
                            }
                        });
            }
        };
    }

    @Test
    void operationsWhenRedisIsDownWaitAndAreSentWhenItIsBack() {
        try (RedisServer own = RedisServer.available().start();
                OutboxApplication alone = start(own)) {
            own.kill();
            for (int i = 0; i < 50; i++) {
                String id = "id-" + i;
                alone.transactions()
                        .executeWithoutResult(status -> alone.outbox().schedule(request(id, LATER)));
            }
            await().during(Duration.ofSeconds(2)).atMost(PATIENCE).until(() -> alone.rows() == 50);
            assertThat(alone.care().statistics().backlog()).isEqualTo(50);
            own.start();

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(alone.rows()).isZero());
            assertThat(IntStream.range(0, 50)
                            .filter(i -> alone.tasks().find("orders", "id-" + i).isPresent()))
                    .hasSize(50);
        }
    }

    /** A server without free memory stores no task, but still moves one. */
    @Test
    void operationsWhenOneOfTheirRowKeepsFailingAreNotRepeated() {
        Instant due = Instant.now().plus(Duration.ofHours(3)).truncatedTo(ChronoUnit.MILLIS);
        String id = TaskIds.inGroup("shop", "a");
        String stored = TaskIds.inGroup("shop", "b");
        try (RedisServer own = RedisServer.available().start()) {
            RedisClient client = RedisClient.create(own.adminUri().toString());
            app = start(own);
            app.tasks().schedule(request(id, LATER));
            client.connect().sync().configSet("maxmemory", "1");
            app.transactions().executeWithoutResult(status -> {
                app.outbox().schedule(request(stored, LATER));
                app.outbox().reschedule("orders", id, Due.at(due.minusSeconds(60)));
            });
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(
                                    app.jdbc().queryForList("SELECT operations FROM delayqueue_outbox", byte[].class))
                            .singleElement()
                            .satisfies(operations -> assertThat(OperationFormat.decode("orders", id, operations))
                                    .singleElement()
                                    .extracting(operation -> operation.change().id())
                                    .isEqualTo(stored)));
            assertThat(app.heard().sent).extracting(SentOperation::id).containsExactly(id);
            assertThat(app.tasks().reschedule("orders", id, Due.at(due))).isEqualTo(RescheduleOutcome.RESCHEDULED);
            client.connect().sync().configSet("maxmemory", "0");

            await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
            assertThat(dueAt(id)).isEqualTo(due);
            assertThat(app.tasks().find("orders", stored)).isPresent();
            assertThat(app.heard().sent).extracting(SentOperation::id).containsExactly(id, stored);
            client.shutdown();
            app.close();
            app = null;
        }
    }

    @Test
    void templateWhenItsCallsGoToTheOutboxTellsTheOutcomeThroughTheStage() throws Exception {
        app = start("delayqueue.transactions=outbox");
        AtomicReference<CompletableFuture<ScheduleResult>> scheduled = new AtomicReference<>();
        app.transactions().executeWithoutResult(status -> {
            scheduled.set(app.tasks().async().schedule(request("a", LATER)).toCompletableFuture());
            assertThat(app.tasks().updatePayload("orders", "a", "y")).isEqualTo(UpdateOutcome.DEFERRED);
            assertThat(scheduled.get()).isNotDone();
        });

        assertThat(scheduled.get().get(PATIENCE.toSeconds(), TimeUnit.SECONDS).outcome())
                .isEqualTo(ScheduleOutcome.CREATED);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(app.tasks().find("orders", "a", String.class))
                        .hasValueSatisfying(found -> assertThat(found.payload()).isEqualTo("y")));
    }

    @Test
    void callsWhenMadeAfterTheCommitOvertakeTheOutboxUnlessTheyAreInANewTransaction() {
        AtomicReference<CancelOutcome> atOnce = new AtomicReference<>();
        AtomicReference<CancelOutcome> inNewTransaction = new AtomicReference<>();
        try (OutboxApplication writer =
                start("delayqueue.transactions=outbox", "delayqueue.jdbc.relay.enabled=false")) {
            TransactionTemplate another = writer.transactions(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            writer.transactions().executeWithoutResult(status -> {
                writer.tasks().schedule(request("overtaken", LATER));
                writer.tasks().schedule(request("cancelled", LATER));
                TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        atOnce.set(writer.tasks().cancel("orders", "overtaken"));
                        inNewTransaction.set(
                                another.execute(any -> writer.tasks().cancel("orders", "cancelled")));
                    }
                });
            });
        }
        assertThat(atOnce).hasValue(CancelOutcome.NOT_FOUND);
        assertThat(inNewTransaction).hasValue(CancelOutcome.DEFERRED);

        app = start();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        assertThat(app.tasks().find("orders", "overtaken")).isPresent();
        assertThat(app.tasks().find("orders", "cancelled")).isEmpty();
    }

    @Test
    void rowsWhenTheirQueueIsNotKnownAreLeftToOtherProcessesForADay() {
        app = start();
        long now = System.currentTimeMillis();
        insert("young", "unknown", now - Duration.ofHours(23).toMillis(), now + 1000);
        insertOld("old", "unknown");

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(app.care().rejected(10))
                        .extracting(RejectedOperation::id)
                        .contains("old"));
        await().atMost(PATIENCE).until(() -> attempts("young") > MANY);
        assertThat(app.care().rejected(10)).extracting(RejectedOperation::id).containsExactly("old");
        assertThat(app.rows()).isEqualTo(1);
    }

    private int attempts(String id) {
        Integer attempts = app.jdbc()
                .queryForObject("SELECT attempts FROM delayqueue_outbox WHERE task_id = ?", Integer.class, id);
        return attempts == null ? 0 : attempts;
    }

    /** A row that is two days old. */
    private void insertOld(String id, String queue) {
        long now = System.currentTimeMillis();
        insert(id, queue, now - Duration.ofDays(2).toMillis(), now + 1000);
    }

    /**
     * A row that a process without this queue has taken many times. Like any row it becomes available after its commit.
     */
    private void insert(String id, String queue, long createdAt, long availableAt) {
        app.jdbc()
                .update(
                        "INSERT INTO delayqueue_outbox (row_key, queue_name, task_id, version, operations,"
                                + " available_at, created_at, attempts) VALUES (?, ?, ?, 1, ?, ?, ?, ?)",
                        id.getBytes(StandardCharsets.UTF_8),
                        queue,
                        id,
                        cancel(queue, id),
                        availableAt,
                        createdAt,
                        MANY);
    }

    private static byte[] cancel(String queue, String id) {
        return OperationFormat.encode(new Operation(5, new TaskChange.Cancel(queue, id, 0)), 0);
    }

    @Test
    void operationsWhenReplicasAreMissingAreDoneAndTheirCallersHearOfIt() {
        app = start("delayqueue.transactions=outbox", "delayqueue.queues.orders.min-replicas=1");
        CompletableFuture<ScheduleResult> stage = app.transactions()
                .execute(status ->
                        app.tasks().async().schedule(request("a", LATER)).toCompletableFuture());

        assertThat(stage)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withCauseInstanceOf(TaskNotReplicatedException.class);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        assertThat(app.tasks().find("orders", "a")).isPresent();
    }

    @Test
    void operationsAfterACallThatWasNotAnsweredAreSentSoonerThanItsLeaseEnds() {
        try (RedisServer own = RedisServer.available().start();
                OutboxApplication alone = start(own, "delayqueue.jdbc.relay.lease=60s")) {
            own.suspend();
            alone.transactions().executeWithoutResult(status -> alone.outbox().schedule(request("late", LATER)));
            await().during(Duration.ofSeconds(2)).atMost(PATIENCE).until(() -> alone.rows() == 1);
            own.resume();
            alone.transactions().executeWithoutResult(status -> alone.outbox().schedule(request("next", LATER)));

            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(alone.heard().sent)
                            .extracting(SentOperation::id)
                            .contains("next")); // "late" may have been sent again by then
        }
    }

    @Test
    void stageWhenNoRelayRunsFails() {
        app = start("delayqueue.transactions=outbox", "delayqueue.jdbc.relay.enabled=false");
        CompletableFuture<ScheduleResult> stage = app.transactions()
                .execute(status ->
                        app.tasks().async().schedule(request("a", LATER)).toCompletableFuture());

        assertThat(stage)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withCauseInstanceOf(CallOutcomeUnknownException.class);
        assertThat(app.rows()).isEqualTo(1);
    }

    @Test
    void stageWhenTheRelayStopsBeforeItsCallIsMadeFails() {
        try (RedisServer own = RedisServer.available().start()) {
            CompletableFuture<ScheduleResult> stage;
            try (OutboxApplication alone = start(own, "delayqueue.transactions=outbox")) {
                own.kill();
                stage = alone.transactions()
                        .execute(status -> alone.tasks()
                                .async()
                                .schedule(request("a", LATER))
                                .toCompletableFuture());
                assertThat(stage).isNotDone();
            }
            assertThat(stage)
                    .failsWithin(PATIENCE)
                    .withThrowableThat()
                    .withCauseInstanceOf(CallOutcomeUnknownException.class);
        }
    }

    @Test
    void rowsWhenATransactionHoldsThemForLongerThanTheirLeaseAreSentOnce() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        DataSource counting = new DelegatingDataSource(dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                connections.incrementAndGet();
                return super.getConnection();
            }
        };
        app = start(counting, "delayqueue.jdbc.relay.poll-interval=20s");
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicReference<CompletableFuture<Void>> holder = new AtomicReference<>();
        app.heard().whenSent = () -> {
            holder.set(CompletableFuture.runAsync(() -> app.transactions().executeWithoutResult(status -> {
                app.jdbc().queryForList("SELECT row_key FROM delayqueue_outbox FOR UPDATE");
                held.countDown();
                awaited(release);
            })));
            awaited(held);
        };
        app.transactions().executeWithoutResult(status -> app.outbox().schedule(request("a", LATER)));
        awaited(held);
        app.heard().whenSent = () -> {};
        JdbcTemplate beside = new JdbcTemplate(dataSource());
        connections.set(0);
        await().during(Duration.ofSeconds(3))
                .atMost(PATIENCE)
                .until(() -> Long.valueOf(1)
                        .equals(beside.queryForObject("SELECT COUNT(*) FROM delayqueue_outbox", Long.class)));
        assertThat(connections).as("tries, less and less often").hasValueLessThan(20);
        release.countDown();

        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(app.rows()).isZero());
        holder.get().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(app.heard().sent).hasSize(1);
    }

    /** A sweep looks behind its place only now and then. */
    @Test
    void rowsWhenTheirTransactionLastsLongerThanTheirLeaseAreSentWithTheCommit() {
        app = start();
        app.transactions().executeWithoutResult(status -> {
            app.outbox().schedule(request("a", LATER));
            await().during(Duration.ofMillis(1500)).until(() -> true);
        });

        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(app.rows()).isZero());
        assertThat(app.tasks().find("orders", "a")).isPresent();
    }

    private static void awaited(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }

    @Test
    void operationsWhenTheyArePutBackAreNotTakenForTheRowBefore() {
        app = start("delayqueue.jdbc.relay.enabled=false");
        app.jdbc()
                .update(
                        "INSERT INTO delayqueue_outbox_rejected (rejected_id, queue_name, task_id, operations, reason,"
                                + " rejected_at) VALUES ('r', 'orders', 'a', ?, 'why', 0)",
                        new Object[] {cancel("orders", "a")});

        assertThat(app.care().retry("r")).isTrue();

        byte[] operations = app.jdbc().queryForObject("SELECT operations FROM delayqueue_outbox", byte[].class);
        assertThat(OperationFormat.decode("orders", "a", operations))
                .singleElement()
                .extracting(Operation::number)
                .isNotEqualTo(5L);
    }

    @Test
    void rejectedOperationsWhenTriedAgainAreSentAndWhenDeletedAreNot() {
        app = start();
        insertOld("again", "late");
        insertOld("deleted", "late");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(app.care().rejected(10)).hasSize(2));
        app.close();
        app = start("delayqueue.queues.late.shards=1");
        List.of("again", "deleted").forEach(id -> app.tasks().schedule(request("late", id, LATER)));

        Map<String, String> rejected = app.care().rejected(10).stream()
                .collect(Collectors.toMap(RejectedOperation::id, RejectedOperation::rejectedId));
        assertThat(app.care().delete(rejected.get("deleted"))).isTrue();
        assertThat(app.care().retry(rejected.get("deleted"))).isFalse();
        assertThat(app.care().retry(rejected.get("again"))).isTrue();
        assertThat(app.care().retry(rejected.get("again"))).isFalse();

        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(app.tasks().find("late", "again")).isEmpty());
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        assertThat(app.heard().sent).singleElement().satisfies(sent -> {
            assertThat(sent.id()).isEqualTo("again");
            assertThat(sent.outcome()).isEqualTo(CancelOutcome.CANCELLED);
        });
        assertThat(app.tasks().find("late", "deleted")).isPresent();
        assertThat(app.care().rejected(10)).isEmpty();
    }
}
