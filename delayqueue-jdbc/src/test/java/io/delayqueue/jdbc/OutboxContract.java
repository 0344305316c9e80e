// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayqueue.BadInput;
import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.GroupResult;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskIds;
import io.delayqueue.TransactionMismatchException;
import io.delayqueue.TransactionMode;
import io.delayqueue.TypedQueue;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.control.OperationView;
import io.delayqueue.control.OperationView.Status;
import io.delayqueue.control.TaskFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The guarantees of the outbox within one application, on any database. One application makes all calls. */
abstract class OutboxContract extends OutboxScene {

    private static final String KEY_PREFIX = "t" + System.nanoTime();

    private static OutboxApplication app;

    @Override
    final String keyPrefix() {
        return KEY_PREFIX;
    }

    @BeforeEach
    void begin() {
        if (app == null) {
            app = start();
        }
        deleteRows();
        app.forget();
    }

    @AfterAll
    static void end() {
        app.close();
        app = null;
    }

    @Test
    void scheduleWhenTheTransactionCommitsIsDelivered() {
        String id = app.transactions()
                .execute(status -> app.outbox()
                        .schedule(requestTo("orders", "x", Duration.ZERO))
                        .id());

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
                    .executeWithoutResult(status ->
                            app.outbox().reschedule("orders", id, Due.at(Instant.ofEpochSecond(4_000_000_000L))));
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
    void rowsWhenOneCannotBeReadAreSentWithoutIt() {
        app.jdbc()
                .update(
                        "INSERT INTO delayqueue_outbox (row_key, queue_name, task_id, version, operations, available_at,"
                                + " created_at, attempts) VALUES (?, 'orders', 'bad', 1, ?, ?, ?, 0)",
                        new byte[] {1},
                        new byte[] {1, 2, 3},
                        System.currentTimeMillis() + 1000, // as any row, after its commit
                        System.currentTimeMillis());
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

    /** Adds a row that no relay takes yet, and a rejected one. */
    private static void addRows(int number, String queue, String id) {
        long now = System.currentTimeMillis();
        app.jdbc()
                .update(
                        "INSERT INTO delayqueue_outbox (row_key, queue_name, task_id, version, operations, available_at,"
                                + " created_at, attempts) VALUES (?, ?, ?, 1, ?, ?, ?, 0)",
                        new byte[] {(byte) number},
                        queue,
                        id,
                        new byte[] {1, 2, 3},
                        now + LATER.toMillis(),
                        now);
        app.jdbc()
                .update(
                        "INSERT INTO delayqueue_outbox_rejected (rejected_id, queue_name, task_id, operations, reason,"
                                + " rejected_at) VALUES (?, ?, ?, ?, 'damaged', ?)",
                        "rejected-" + number,
                        queue,
                        id,
                        new byte[] {1, 2, 3},
                        now);
    }

    private static OperationView erased(TaskFilter filter) {
        String handle = app.bulk().erase("orders", filter).handle();
        return await().atMost(PATIENCE)
                .until(() -> app.bulk().find(handle).orElseThrow(), found -> found.status() != Status.RUNNING);
    }

    @Test
    void eraseWhenAKeySelectsDeletesItsWaitingAndRejectedRows() {
        List<String> ids = List.of("{person}:a", "{person}:{g}~", "{other}:a", "person");
        for (int i = 0; i < ids.size(); i++) {
            addRows(i + 1, "orders", ids.get(i));
        }
        addRows(9, "mails", "{person}:a");
        app.tasks()
                .schedule(ScheduleRequest.to("orders")
                        .key("person")
                        .id("b")
                        .payload("x")
                        .dueIn(LATER)
                        .build());

        OperationView done = erased(TaskFilter.ALL.withKey("person"));

        assertThat(done.status()).as(done.error()).isEqualTo(Status.DONE);
        assertThat(done.done()).isEqualTo(1);
        assertThat(Objects.requireNonNull(done.erased()).outboxRows()).isEqualTo(4);
        for (String table : List.of("delayqueue_outbox", "delayqueue_outbox_rejected")) {
            assertThat(app.jdbc().queryForList("SELECT task_id FROM " + table, String.class))
                    .as(table)
                    .containsExactlyInAnyOrder("{other}:a", "person", "{person}:a");
            assertThat(app.jdbc()
                            .queryForList(
                                    "SELECT queue_name FROM " + table + " WHERE task_id = '{person}:a'", String.class))
                    .containsExactly("mails");
        }
    }

    @Test
    void eraseWhenThePrefixHasCharactersOfPatternsTakesThemLiterally() {
        List<String> ids = List.of("a_%!\\b1", "a_%!\\b2", "a_%!\\B", "axx!\\b", "a_%\\b", "a_%!b");
        for (int i = 0; i < ids.size(); i++) {
            addRows(i + 1, "orders", ids.get(i));
        }

        OperationView done = erased(TaskFilter.ALL.withIdPrefix("a_%!\\b"));

        assertThat(done.status()).as(done.error()).isEqualTo(Status.DONE);
        assertThat(Objects.requireNonNull(done.erased()).outboxRows()).isEqualTo(4);
        assertThat(idsSeenByOthers()).containsExactlyInAnyOrderElementsOf(ids.subList(2, 6));
    }

    /** The application holds a row and then needs another one, so an erasure that waits with locks would deadlock. */
    @Test
    void eraseWhenATransactionHasLockedARowDeletesTheOthersAndWaitsForItsEnd() throws Exception {
        addRows(1, "orders", "{person}:a");
        addRows(2, "orders", "{person}:b");
        CompletableFuture<OperationView> done = new CompletableFuture<>();

        app.transactions().executeWithoutResult(status -> {
            String lock = "UPDATE delayqueue_outbox SET attempts = 1 WHERE row_key = ?";
            assertThat(app.jdbc().update(lock, keyOf("{person}:b"))).isEqualTo(1);
            done.completeAsync(() -> erased(TaskFilter.ALL.withKey("person")));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(idsSeenByOthers()).containsExactly("{person}:b"));
            assertThat(done).isNotDone();
        });

        OperationView erased = done.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(erased.status()).as(erased.error()).isEqualTo(Status.DONE);
        assertThat(Objects.requireNonNull(erased.erased()).outboxRows()).isEqualTo(4);
        assertThat(idsSeenByOthers()).isEmpty();
    }

    /** The rows that the application commits are behind the erasure, which reads two pages. */
    @Test
    void eraseWhenTheApplicationCommitsRowsAllTheTimeEnds() {
        app.jdbc()
                .batchUpdate(
                        "INSERT INTO delayqueue_outbox (row_key, queue_name, task_id, version, operations, available_at,"
                                + " created_at, attempts) VALUES (?, 'orders', '{person}:a', 1, ?, ?, 0, 0)",
                        IntStream.rangeClosed(1, 501)
                                .mapToObj(i -> new Object[] {
                                    new byte[] {100, (byte) (i >> 8), (byte) i},
                                    new byte[] {1},
                                    System.currentTimeMillis() + LATER.toMillis()
                                })
                                .toList());
        AtomicInteger late = new AtomicInteger();
        AtomicLong deleted = new AtomicLong();

        boolean all = app.pending().erase("orders", "{person}:", rows -> {
            if (late.get() < 9) {
                addRows(late.incrementAndGet(), "orders", "{person}:late");
            }
            deleted.addAndGet(rows);
            return true;
        });

        assertThat(all).isTrue();
        assertThat(idsSeenByOthers()).hasSize(4).containsOnly("{person}:late");
        assertThat(app.care().rejected(100))
                .as("two were there before the erasure reached the table")
                .hasSize(2)
                .extracting(RejectedOperation::id)
                .containsOnly("{person}:late");
        assertThat(deleted).hasValue(501 + 2);
    }

    @Test
    void eraseWhenStoppedWhileARowIsLockedEnds() {
        addRows(1, "orders", "{person}:a");
        addRows(2, "orders", "{person}:b");
        List<Long> deleted = new CopyOnWriteArrayList<>();

        app.transactions().executeWithoutResult(status -> {
            byte[] locked = keyOf("{person}:b");
            assertThat(app.jdbc().update("UPDATE delayqueue_outbox SET attempts = 1 WHERE row_key = ?", locked))
                    .isEqualTo(1);
            CompletableFuture<Boolean> all =
                    CompletableFuture.supplyAsync(() -> app.pending().erase("orders", "{person}:", rows -> {
                        deleted.add(rows);
                        return deleted.size() < 3;
                    }));
            assertThat(all).succeedsWithin(PATIENCE).isEqualTo(false);
        });

        assertThat(deleted).containsExactly(1L, 0L, 0L);
        assertThat(idsSeenByOthers()).containsExactly("{person}:b");
        assertThat(app.care().rejected(10)).hasSize(2);
    }

    /** Only Redis knows the headers of the task, to which the later update adds too much. */
    @Test
    void updateWhenALaterOneIsRefusedIsMade() {
        app.tasks()
                .schedule(ScheduleRequest.to("orders")
                        .id("a")
                        .payload("x")
                        .header("stored", "s".repeat(5000))
                        .dueIn(LATER)
                        .build());
        app.transactions().executeWithoutResult(status -> {
            app.outbox().updatePayload("orders", "a", "overwritten");
            app.outbox().updatePayload("orders", "a", "first");
            app.outbox().update("orders", "a", "second", Map.of("added", "a".repeat(5000)));
        });

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(app.heard().rejected).hasSize(1));
        assertThat(app.heard().rejected.get(0).reason()).contains("delayqueue.max-header-size");
        assertThat(app.tasks().find("orders", "a", String.class).orElseThrow().payload())
                .isEqualTo("first");
    }

    /** Returns the stored key of a row. Some databases pad it. */
    private static byte[] keyOf(String id) {
        return Objects.requireNonNull(
                app.jdbc().queryForObject("SELECT row_key FROM delayqueue_outbox WHERE task_id = ?", byte[].class, id));
    }

    private static List<String> idsSeenByOthers() {
        return CompletableFuture.supplyAsync(
                        () -> app.jdbc().queryForList("SELECT task_id FROM delayqueue_outbox", String.class))
                .join();
    }

    @Test
    void callsWhenTheTransactionMayNotWriteAreRefused() {
        DefaultTransactionDefinition readOnly = new DefaultTransactionDefinition();
        readOnly.setReadOnly(true);
        assertThatExceptionOfType(TransactionMismatchException.class)
                .isThrownBy(() -> new TransactionTemplate(app.transactions().getTransactionManager(), readOnly)
                        .executeWithoutResult(status -> app.outbox().cancel("orders", "a")))
                .withMessageContaining("read-only");
        assertThat(app.rows()).isZero();
    }

    @Test
    void callsWhenThereIsNoTransactionOrItHasCommittedAreMadeAtOnce() {
        app.outbox().schedule(request("outside", LATER));
        assertThat(app.tasks().find("orders", "outside")).isPresent();
        app.transactions()
                .executeWithoutResult(status ->
                        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                            @Override
                            public void afterCommit() {
                                assertThat(app.outbox().cancel("orders", "outside"))
                                        .isEqualTo(CancelOutcome.CANCELLED);
                            }
                        }));
        assertThat(app.tasks().find("orders", "outside")).isEmpty();
    }

    @Test
    void typedQueueWhenItIsInTheOutboxIsDecidedWithTheTransaction() {
        TypedQueue<String> orders = app.tasks().queue("orders", String.class).inTransaction(TransactionMode.OUTBOX);
        app.transactions().executeWithoutResult(status -> {
            assertThat(orders.schedule("lost", "x", Due.after(LATER)).outcome()).isEqualTo(ScheduleOutcome.DEFERRED);
            status.setRollbackOnly();
        });
        app.transactions().executeWithoutResult(status -> {
            orders.schedule("kept", "x", Due.after(LATER));
            assertThat(orders.updatePayload("kept", "y")).isEqualTo(UpdateOutcome.DEFERRED);
        });

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(orders.find("kept"))
                        .hasValueSatisfying(task -> assertThat(task.payload()).isEqualTo("y")));
        assertThat(orders.find("lost")).isEmpty();
        CompletableFuture<CancelOutcome> cancelled =
                app.transactions().execute(status -> app.outbox().async().cancel("orders", "kept"));
        assertThat(cancelled).succeedsWithin(PATIENCE).isEqualTo(CancelOutcome.CANCELLED);
    }

    @Test
    void callsWhenIdsAreOddReachTheirTasks() {
        List<String> ids = BadInput.oddIds().map(BadInput.Case::input).toList();
        app.transactions()
                .executeWithoutResult(status -> ids.forEach(id -> app.outbox().schedule(request(id, LATER))));

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        ids.forEach(id -> assertThat(app.tasks().find("orders", id)).as(id).isPresent());
        assertThat(app.heard().sent).extracting(SentOperation::id).containsExactlyInAnyOrderElementsOf(ids);

        app.transactions()
                .executeWithoutResult(status -> ids.forEach(id -> app.outbox().cancel("orders", id)));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        ids.forEach(id -> assertThat(app.tasks().find("orders", id)).as(id).isEmpty());
    }

    @Test
    void groupWhenItIsChangedInATransactionIsDecidedWithItInTheOrderOfItsCalls() {
        app.tasks().schedule(inGroup("before"));
        app.transactions().executeWithoutResult(status -> {
            assertThat(app.outbox().group("orders", "g").cancel().isDeferred()).isTrue();
            status.setRollbackOnly();
        });
        assertThat(app.rows()).isZero();
        assertThat(app.tasks().group("orders", "g").count()).isOne();

        app.transactions().executeWithoutResult(status -> {
            app.outbox().schedule(inGroup("within"));
            app.outbox().group("orders", "g").cancel();
            app.outbox().schedule(inGroup("after"));
            app.outbox().group("orders", "g").shift(Duration.ofDays(1));
            assertThat(app.rows()).isOne();
        });

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        assertThat(app.tasks().group("orders", "g").list().content())
                .singleElement()
                .satisfies(task -> {
                    assertThat(task.id()).isEqualTo(TaskIds.inGroup("g", "after"));
                    assertThat(task.dueAt()).isAfter(Instant.now().plus(LATER).plus(Duration.ofHours(23)));
                });
        assertThat(app.heard().sent)
                .filteredOn(sent -> sent.outcome() instanceof GroupResult)
                .extracting(SentOperation::id)
                .containsExactly("{g}~", "{g}~");
    }

    /** A schedule that is sent again would bring a cancelled task back. */
    @Test
    void cancelOfAGroupWhenItCommitsWithAScheduleLeavesNothing() {
        app.transactions().executeWithoutResult(status -> {
            app.outbox().schedule(inGroup("a"));
            app.outbox().group("orders", "g").cancel();
        });

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        assertThat(app.heard().sent)
                .singleElement()
                .extracting(SentOperation::outcome)
                .isEqualTo(new GroupResult(0, List.of(), 0, 1));
    }

    @Test
    void groupWhenATransactionIsOpenThatSchedulesInItIsChangedAfterThatHasCommitted() throws Exception {
        inTurns(
                () -> app.outbox().schedule(inGroup("a")),
                () -> app.outbox().group("orders", "g").cancel());

        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        assertThat(app.tasks().group("orders", "g").count()).isZero();
    }

    @Test
    void groupWhenManyOfItsTasksAreScheduledAtOnceIsOneRow() {
        app.transactions().executeWithoutResult(status -> {
            app.outbox()
                    .scheduleAll(IntStream.range(0, 1000)
                            .mapToObj(i -> inGroup("many-" + i))
                            .toList());
            app.outbox().group("orders", "g").reschedule(Due.after(Duration.ofDays(2)));
            assertThat(app.rows()).isOne();
        });
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(app.rows()).isZero());
        assertThat(app.tasks().group("orders", "g").count()).isEqualTo(1000);
        assertThat(app.tasks()
                        .find("orders", TaskIds.inGroup("g", "many-999"))
                        .orElseThrow()
                        .dueAt())
                .isAfter(Instant.now().plus(Duration.ofDays(1)));
    }

    private static ScheduleRequest<?> inGroup(String id) {
        return ScheduleRequest.to("orders")
                .group("g")
                .id(id)
                .payload("x")
                .dueIn(LATER)
                .build();
    }

    @Test
    void callsOfOneTransactionMayHaveAModeEach() {
        DelayQueueOperations tasks = app.tasks();
        app.transactions().executeWithoutResult(status -> {
            tasks.inTransaction(TransactionMode.IMMEDIATE).schedule(request("at-once", LATER));
            tasks.schedule(request("as-configured", LATER));
            tasks.inTransaction(TransactionMode.AFTER_COMMIT).schedule(request("after", LATER));
            tasks.inTransaction(TransactionMode.OUTBOX).schedule(request("outbox", LATER));
            assertThat(tasks.find("orders", "at-once")).isPresent();
            assertThat(tasks.find("orders", "as-configured")).isPresent();
            assertThat(tasks.find("orders", "after")).isEmpty();
            assertThat(app.rows()).isOne();
            assertThatThrownBy(() -> tasks.inTransaction(TransactionMode.REFUSE).cancel("orders", "at-once"))
                    .isInstanceOf(TransactionMismatchException.class);
        });
        assertThat(tasks.find("orders", "after")).isPresent();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(tasks.find("orders", "outbox")).isPresent());
    }

    @Test
    void requestWhenItIsBadIsRefusedBeforeAnythingIsWritten() {
        app.transactions().executeWithoutResult(status -> {
            assertThatThrownBy(() ->
                            app.outbox().scheduleAll(List.of(request("good", LATER), request("has\ta tab", LATER))))
                    .isInstanceOf(io.delayqueue.InvalidTaskException.class);
            assertThatThrownBy(() -> app.outbox().schedule(requestTo("unknown", "x", LATER)))
                    .isInstanceOf(io.delayqueue.UnknownQueueException.class);
        });
        assertThat(app.rows()).isZero();
    }

    /** Uses separate tables, with leases that do not expire before a busy machine has sent the rows. */
    @Test
    void rowsWhenSeveralProcessesRelayAreSentOnceEach() {
        String tables = "delayqueue.jdbc.table-prefix=several_";
        String[] patient = {tables, "delayqueue.jdbc.relay.lease=20s", "delayqueue.redis.command-timeout=5s"};
        JdbcTemplate jdbc = new JdbcTemplate(dataSource());
        try (OutboxApplication one = start(patient);
                OutboxApplication other = start(patient);
                OutboxApplication writer = start(tables, "delayqueue.jdbc.relay.enabled=false")) {
            writer.transactions()
                    .executeWithoutResult(status -> writer.outbox()
                            .scheduleAll(IntStream.range(0, 500)
                                    .mapToObj(i -> request("id-" + i, LATER))
                                    .toList()));

            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM several_outbox", Integer.class))
                                    .isZero());
            assertThat(one.heard().sent.size() + other.heard().sent.size()).isEqualTo(500);
        }
    }
}
