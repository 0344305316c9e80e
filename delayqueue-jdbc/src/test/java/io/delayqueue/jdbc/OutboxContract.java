// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.internal.jdbc.outbox.Operation;
import io.delayqueue.internal.jdbc.outbox.OperationFormat;
import io.delayqueue.internal.transaction.TaskChange;
import io.delayqueue.test.server.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What the outbox promises, on any database. The DataSource hands out another connection each time. */
abstract class OutboxContract {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration LATER = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Times that a row was taken. */
    private static final int MANY = 1000;

    private RedisServer redis;
    private String keyPrefix;
    private OutboxApplication app;

    abstract DataSource dataSource();

    @BeforeEach
    void start(RedisServer redis) {
        this.redis = redis;
        this.keyPrefix = "t" + System.nanoTime();
        app = start();
        app.jdbc().update("DELETE FROM delayqueue_outbox");
        app.jdbc().update("DELETE FROM delayqueue_outbox_rejected");
    }

    private OutboxApplication start(String... properties) {
        return new OutboxApplication(dataSource(), redis.uri().toString(), keyPrefix, properties);
    }

    @AfterEach
    void stop() {
        app.close();
        new JdbcTemplate(dataSource()).update("DELETE FROM delayqueue_outbox"); // some have no relay
    }

    @Test
    void scheduleWhenTheTransactionCommitsIsDelivered() {
        String id = app.transactions().execute(status -> app.outbox().schedule("orders", "x", Duration.ZERO));

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(app.heard().delivered).containsExactly(id));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        assertThat(app.heard().sent).singleElement().satisfies(sent -> {
            assertThat(sent.id()).isEqualTo(id);
            assertThat(((ScheduleResult) sent.outcome()).outcome()).isEqualTo(ScheduleOutcome.CREATED);
        });
    }

    @Test
    void callsWhenTheTransactionRollsBackNeverReachRedis() {
        app.tasks().schedule(request("kept", LATER));
        app.transactions().executeWithoutResult(status -> {
            app.outbox().schedule(request("lost", Duration.ZERO));
            app.outbox().cancel("orders", "kept");
            status.setRollbackOnly();
        });
        app.transactions().executeWithoutResult(status -> app.outbox().schedule(request("last", Duration.ZERO)));

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(app.heard().delivered).containsExactly("last"));
        assertThat(app.heard().sent).extracting(SentOperation::id).containsExactly("last");
        assertThat(app.tasks().find("orders", "kept")).isPresent();
        assertThat(app.tasks().find("orders", "lost")).isEmpty();
    }

    @Test
    void callsWhenASavepointIsRolledBackAreThoseAroundIt() throws Exception {
        app.transactions().executeWithoutResult(outer -> {
            app.outbox().schedule(request("before", LATER));
            app.nested().executeWithoutResult(inner -> {
                app.outbox().schedule(request("within", LATER));
                app.outbox().cancel("orders", "before");
                inner.setRollbackOnly();
            });
            Object byHand = outer.createSavepoint();
            app.outbox().schedule(request("by-hand", LATER));
            outer.rollbackToSavepoint(byHand);
            app.nested().executeWithoutResult(inner -> app.outbox().schedule(request("after", LATER)));
        });

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        assertThat(app.heard().sent).extracting(SentOperation::id).containsExactlyInAnyOrder("before", "after");
        assertThat(app.tasks().find("orders", "before")).isPresent();
        assertThat(app.tasks().find("orders", "within")).isEmpty();
        assertThat(app.tasks().find("orders", "by-hand")).isEmpty();
    }

    @Test
    void cancelWhenItCommitsAfterTheScheduleOfAnotherTransactionIsTheLastWord() throws Exception {
        inTurns(
                () -> app.outbox().schedule(request("a", LATER)),
                () -> app.outbox().cancel("orders", "a"));

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        assertThat(app.tasks().find("orders", "a")).isEmpty();
    }

    @Test
    void scheduleWhenItCommitsAfterTheCancelOfAnotherTransactionIsTheLastWord() throws Exception {
        inTurns(() -> app.outbox().cancel("orders", "a"), () -> app.outbox().schedule(request("a", LATER)));

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        assertThat(app.tasks().find("orders", "a")).isPresent();
    }

    /** The second transaction makes its call while the first is open, and waits for it. */
    private void inTurns(Runnable first, Runnable second) throws Exception {
        CountDownLatch firstHasCalled = new CountDownLatch(1);
        AtomicReference<CompletableFuture<Void>> other = new AtomicReference<>();
        app.transactions().executeWithoutResult(status -> {
            first.run();
            other.set(CompletableFuture.runAsync(() -> app.transactions().executeWithoutResult(any -> {
                firstHasCalled.countDown();
                second.run();
            })));
            await().until(() -> firstHasCalled.getCount() == 0);
            assertThatThrownBy(() -> other.get().get(300, TimeUnit.MILLISECONDS))
                    .isInstanceOf(TimeoutException.class);
        });
        other.get().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void operationsWhenATransactionAddsThemToARowThatIsBeingSentFollow() {
        for (int round = 0; round < 20; round++) {
            String id = "id-" + round;
            app.transactions().executeWithoutResult(status -> app.outbox().schedule(request(id, LATER)));
            app.transactions()
                    .executeWithoutResult(
                            status -> app.outbox().reschedule("orders", id, Instant.ofEpochSecond(4_000_000_000L)));
        }

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        assertThat(IntStream.range(0, 20).mapToObj(round -> app.tasks().find("orders", "id-" + round)))
                .allSatisfy(task -> assertThat(task)
                        .hasValueSatisfying(found ->
                                assertThat(found.dueAt().getEpochSecond()).isEqualTo(4_000_000_000L)));
    }

    @Test
    void rowsWhenAnotherTransactionHoldsOneAreSentAndSettledMeanwhile() {
        app.transactions().executeWithoutResult(open -> {
            app.outbox().schedule(request("held", LATER));
            for (int i = 0; i < 20; i++) {
                String id = "free-" + i;
                app.transactions(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                        .executeWithoutResult(status -> app.outbox().schedule(request(id, LATER)));
            }
            JdbcTemplate beside = new JdbcTemplate(dataSource());
            TransactionTemplate others = app.transactions(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            others.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
            await().atMost(PATIENCE)
                    .until(() -> Integer.valueOf(0)
                            .equals(others.execute(status ->
                                    beside.queryForObject("SELECT COUNT(*) FROM delayqueue_outbox", Integer.class))));
        });

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
    }

    @Test
    void cancelWhenItCommitsWithTheScheduleLeavesNothing() {
        app.transactions().executeWithoutResult(status -> {
            app.outbox().schedule(request("a", Duration.ZERO));
            app.outbox().cancel("orders", "a");
        });

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        assertThat(app.heard().sent)
                .singleElement()
                .extracting(SentOperation::outcome)
                .isEqualTo(CancelOutcome.NOT_FOUND);
        assertThat(app.heard().delivered).isEmpty();
    }

    @Test
    void operationsWhenTheProcessDiesAfterTheCommitAreSentByASweep() {
        app.close();
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
        app.close();
        app = start("delayqueue.jdbc.relay.enabled=false");
        app.transactions().executeWithoutResult(status -> app.outbox().schedule(request("a", LATER)));
        Map<String, Object> row = app.jdbc().queryForMap("SELECT * FROM delayqueue_outbox");
        app.close();
        app = start();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        app.jdbc()
                .update(
                        "INSERT INTO delayqueue_outbox (row_key, queue_name, task_id, version, operations,"
                                + " available_at, created_at, attempts) VALUES (?, 'orders', 'a', 1, ?, 0, 0, 0)",
                        row.get("row_key"),
                        row.get("operations"));

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        assertThat(app.heard().sent)
                .extracting(sent -> ((ScheduleResult) sent.outcome()).outcome())
                .containsExactly(ScheduleOutcome.CREATED, ScheduleOutcome.CREATED);
        assertThat(app.tasks().cancel("orders", "a")).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(app.tasks().cancel("orders", "a")).isEqualTo(CancelOutcome.NOT_FOUND);
    }

    @Test
    void operationsWhenRedisIsDownWaitAndAreSentWhenItIsBack() {
        app.close(); // it would send to another Redis
        try (RedisServer own = RedisServer.available().start();
                OutboxApplication alone =
                        new OutboxApplication(dataSource(), own.uri().toString(), keyPrefix)) {
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

    @Test
    void rowsWhenOneCannotBeReadAreSentWithoutIt() {
        app.jdbc()
                .update(
                        "INSERT INTO delayqueue_outbox (row_key, queue_name, task_id, version, operations, available_at,"
                                + " created_at, attempts) VALUES (?, 'orders', 'bad', 1, ?, 0, 0, 0)",
                        new byte[] {1},
                        new byte[] {1, 2, 3});
        app.transactions().executeWithoutResult(status -> app.outbox().schedule(request("good", Duration.ZERO)));

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(app.heard().rejected).hasSize(1));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(app.heard().delivered).containsExactly("good"));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        RejectedOperation rejected = app.care().rejected(10).get(0);
        assertThat(rejected.id()).isEqualTo("bad");
        assertThat(rejected.reason()).contains("damaged");
        assertThat(app.care().delete(rejected.rejectedId())).isTrue();
        assertThat(app.care().delete(rejected.rejectedId())).isFalse();
        assertThat(app.care().rejected(10)).isEmpty();
    }

    @Test
    void callsWhenThereIsNoTransactionThatMayWriteAreRefused() {
        assertThatExceptionOfType(TransactionRequiredException.class)
                .isThrownBy(() -> app.outbox().cancel("orders", "a"))
                .withMessageContaining("delayqueue.jdbc.outside-transaction");
        DefaultTransactionDefinition readOnly = new DefaultTransactionDefinition();
        readOnly.setReadOnly(true);
        assertThatExceptionOfType(TransactionRequiredException.class)
                .isThrownBy(() -> new TransactionTemplate(app.transactions().getTransactionManager(), readOnly)
                        .executeWithoutResult(status -> app.outbox().cancel("orders", "a")))
                .withMessageContaining("read-only");
        app.transactions()
                .executeWithoutResult(status ->
                        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                            @Override
                            public void afterCommit() {
                                assertThatExceptionOfType(TransactionRequiredException.class)
                                        .isThrownBy(() -> app.outbox().cancel("orders", "a"));
                            }
                        }));
        assertThat(app.rows()).isZero();
    }

    @Test
    void requestWhenItIsBadIsRefusedBeforeAnythingIsWritten() {
        app.transactions().executeWithoutResult(status -> {
            assertThatThrownBy(() ->
                            app.outbox().scheduleAll(List.of(request("good", LATER), request("has a space", LATER))))
                    .isInstanceOf(io.delayqueue.InvalidTaskIdException.class);
            assertThatThrownBy(() -> app.outbox().schedule("unknown", "x", LATER))
                    .isInstanceOf(io.delayqueue.UnknownQueueException.class);
        });
        assertThat(app.rows()).isZero();
    }

    @Test
    void templateWhenItsCallsGoToTheOutboxTellsTheOutcomeThroughTheStage() throws Exception {
        app.close();
        app = start("delayqueue.transactions=outbox");
        AtomicReference<CompletableFuture<ScheduleResult>> scheduled = new AtomicReference<>();
        app.transactions().executeWithoutResult(status -> {
            scheduled.set(app.tasks().scheduleAsync(request("a", LATER)).toCompletableFuture());
            assertThat(app.tasks().update("orders", "a", "y")).isEqualTo(UpdateOutcome.DEFERRED);
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
        app.close();
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
    void rowsWhenSeveralProcessesRelayAreSentOnceEach() {
        try (OutboxApplication other = start();
                OutboxApplication writer = start("delayqueue.jdbc.relay.enabled=false")) {
            writer.transactions()
                    .executeWithoutResult(status -> writer.outbox()
                            .scheduleAll(IntStream.range(0, 500)
                                    .mapToObj(i -> request("id-" + i, LATER))
                                    .toList()));

            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(writer.rows()).isZero());
            assertThat(app.heard().sent.size() + other.heard().sent.size()).isEqualTo(500);
        }
    }

    @Test
    void rowsWhenTheirQueueIsNotKnownAreLeftToOtherProcessesForADay() {
        long now = System.currentTimeMillis();
        insert("young", "unknown", now - Duration.ofHours(23).toMillis(), now - MINUTE.toMillis());
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

    /** A row that is available again when it is two days old. */
    private void insertOld(String id, String queue) {
        insert(id, queue, 0, Duration.ofDays(2).toMillis());
    }

    /** A row that a process without this queue has taken many times. */
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
        app.close();
        app = start("delayqueue.transactions=outbox", "delayqueue.queues.orders.replicas=1");
        CompletableFuture<ScheduleResult> stage = app.transactions()
                .execute(
                        status -> app.tasks().scheduleAsync(request("a", LATER)).toCompletableFuture());

        assertThat(stage)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withCauseInstanceOf(TaskNotReplicatedException.class);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        assertThat(app.tasks().find("orders", "a")).isPresent();
    }

    @Test
    void operationsAfterACallThatWasNotAnsweredAreSentSoonerThanItsLeaseEnds() {
        app.close();
        try (RedisServer own = RedisServer.available().start();
                OutboxApplication alone = new OutboxApplication(
                        dataSource(), own.uri().toString(), keyPrefix, "delayqueue.jdbc.relay.lease=60s")) {
            own.suspend();
            alone.transactions().executeWithoutResult(status -> alone.outbox().schedule(request("late", LATER)));
            await().during(Duration.ofSeconds(2)).atMost(PATIENCE).until(() -> alone.rows() == 1);
            own.resume();
            alone.transactions().executeWithoutResult(status -> alone.outbox().schedule(request("next", LATER)));

            await().atMost(PATIENCE)
                    .ignoreExceptions()
                    .untilAsserted(() -> assertThat(alone.heard().sent)
                            .extracting(SentOperation::id)
                            .containsExactly("next"));
        }
    }

    @Test
    void stageWhenNoRelayRunsFails() {
        app.close();
        app = start("delayqueue.transactions=outbox", "delayqueue.jdbc.relay.enabled=false");
        CompletableFuture<ScheduleResult> stage = app.transactions()
                .execute(
                        status -> app.tasks().scheduleAsync(request("a", LATER)).toCompletableFuture());

        assertThat(stage)
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withCauseInstanceOf(CallOutcomeUnknownException.class);
        assertThat(app.rows()).isEqualTo(1);
    }

    @Test
    void stageWhenTheRelayStopsBeforeItsCallIsMadeFails() {
        app.close();
        try (RedisServer own = RedisServer.available().start()) {
            CompletableFuture<ScheduleResult> stage;
            try (OutboxApplication alone = new OutboxApplication(
                    dataSource(), own.uri().toString(), keyPrefix, "delayqueue.transactions=outbox")) {
                own.kill();
                stage = alone.transactions()
                        .execute(status ->
                                alone.tasks().scheduleAsync(request("a", LATER)).toCompletableFuture());
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
        app.close();
        app = start("delayqueue.jdbc.relay.poll-interval=20s");
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
        await().during(Duration.ofSeconds(3)).atMost(PATIENCE).until(() -> app.rows() == 1);
        release.countDown();

        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(app.rows()).isZero());
        holder.get().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(app.heard().sent).hasSize(1);
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
        app.close();
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

    private static ScheduleRequest request(String id, Duration delay) {
        return request("orders", id, delay);
    }

    private static ScheduleRequest request(String queue, String id, Duration delay) {
        return ScheduleRequest.to(queue).id(id).payload("x").delay(delay).build();
    }
}
