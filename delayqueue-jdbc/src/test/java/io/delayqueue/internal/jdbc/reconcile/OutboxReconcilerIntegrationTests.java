// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.reconcile;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.LogLines;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.TransactionMode;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.transaction.CallsAfterCommit;
import io.delayqueue.jdbc.ExpectedTasks;
import io.delayqueue.jdbc.ReconcileDifference;
import io.delayqueue.jdbc.ReconcileDifference.Kind;
import io.delayqueue.jdbc.ReconcileException;
import io.delayqueue.jdbc.ReconcileRequest;
import io.delayqueue.jdbc.ReconcileResult;
import io.delayqueue.trigger.ScanTrigger;
import io.delayqueue.trigger.TestBeans;
import io.delayqueue.trigger.TestQueues;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Orders in an H2 in memory and a queue in Redis, which gets what is written when the transaction has committed. */
class OutboxReconcilerIntegrationTests {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = NOW.plus(Duration.ofHours(1));

    /** Later than the clock of any system, which decides whether a task would be scheduled in the past. */
    private static final Instant IN_THE_NIGHT = Instant.parse("2100-01-01T22:00:00Z");

    private static final DeliveryWindow DAYTIME = DeliveryWindow.parse("09:00-21:00 UTC");

    private final JdbcTemplate jdbc =
            new JdbcTemplate(new DriverManagerDataSource("jdbc:h2:mem:reconciler;DB_CLOSE_DELAY=-1"));
    private final QueueSettings settings = QueueSettings.withDefaults(Orders.QUEUE);
    private final TestQueues queues = new TestQueues(() -> NOW, settings);
    private final Orders orders = new Orders(jdbc);
    private final OutboxReconciler reconciler = new OutboxReconciler(
            queues.template(),
            queues.admin(),
            queues.template()
                    .within(
                            mode -> new CallsAfterCommit(() -> queues.template().changes(), failure -> {}),
                            TransactionMode.AFTER_COMMIT),
            new JdbcTransactionManager(jdbc.getDataSource()),
            new QueueCatalog(List.of(settings)),
            Clock.fixed(NOW, ZoneOffset.UTC));

    @AfterEach
    void close() {
        queues.close();
    }

    @Test
    void reconcileWithoutMendingOnlyReports() {
        fourDifferences();
        List<ReconcileDifference> told = new ArrayList<>();
        ReconcileResult result;
        try (LogLines log = new LogLines()) {
            result =
                    reconciler.reconcile(request(orders).onDifference(told::add).build());
            assertThat(log.all())
                    .anySatisfy(line -> assertThat(line)
                            .contains("Queue 'orders' compared", "missing 1 (mended 0)", "left over 1 (mended 0)")
                            .doesNotContain("not finished"));
        }
        assertThat(result.found().values()).allMatch(count -> count == 1);
        assertThat(result.mended().values()).allMatch(count -> count == 0);
        assertThat(result.finished()).isTrue();
        assertThat(result.isClean()).isFalse();
        assertThat(result.examples())
                .isEqualTo(told)
                .extracting(ReconcileDifference::id)
                .containsExactly("dead", "missing", "moved", "over");
        assertThat(queues.template().find(Orders.QUEUE, "missing")).isEmpty();
        assertThat(queues.template().find(Orders.QUEUE, "over")).isPresent();
        assertThat(due("moved")).isEqualTo(LATER.plusSeconds(2));
    }

    @Test
    void reconcileWhenItMendsMakesTheQueueWhatItShouldBe() {
        fourDifferences();
        ReconcileResult result = reconciler.reconcile(
                request(orders).mend(EnumSet.allOf(Kind.class)).build());
        assertThat(result.mended()).containsEntry(Kind.MISSING, 1L).containsEntry(Kind.LEFT_OVER, 1L);
        assertThat(result.mended()).containsEntry(Kind.WRONG_DUE_TIME, 1L).containsEntry(Kind.DEAD, 0L);
        assertThat(due("missing")).isEqualTo(LATER);
        assertThat(due("moved")).isEqualTo(LATER);
        assertThat(queues.template().find(Orders.QUEUE, "over")).isEmpty();
        assertThat(queues.template().find(Orders.QUEUE, "dead"))
                .hasValueSatisfying(task -> assertThat(task.state()).isEqualTo(TaskState.DEAD));
        orders.close("dead");
        assertThat(reconciler.reconcile(request(orders).build()).isClean()).isTrue();
    }

    @Test
    void reconcileWhenATaskWasHandedOverLatelyDoesNotMissIt() {
        orders.place("at-the-broker", NOW.minus(Duration.ofMinutes(9)));
        orders.place("lost", NOW.minus(Duration.ofMinutes(11)));
        ReconcileResult result = reconciler.reconcile(request(orders).build());
        assertThat(result.examples()).extracting(ReconcileDifference::id).containsExactly("lost");
        assertThat(result.underWay()).isEqualTo(1);
    }

    @Test
    void reconcileWhenTheOrderChangesBeforeItIsMendedRollsBack() {
        orders.place("paid", LATER);
        orders.place("extended", LATER);
        schedule("extended", LATER.plusSeconds(60));
        schedule("placed", LATER);
        ReconcileResult result = reconciler.reconcile(request(changingWhenMended(id -> {
                    orders.close(id);
                    if (!id.equals("paid")) {
                        orders.place(id, id.equals("placed") ? LATER : LATER.plusSeconds(60));
                    }
                }))
                .mend(EnumSet.allOf(Kind.class))
                .build());
        assertThat(result.found()).containsEntry(Kind.MISSING, 1L).containsEntry(Kind.WRONG_DUE_TIME, 1L);
        assertThat(result.found()).containsEntry(Kind.LEFT_OVER, 1L);
        assertThat(result.mended().values()).allMatch(count -> count == 0);
        assertThat(queues.template().find(Orders.QUEUE, "paid")).isEmpty();
        assertThat(due("placed")).isEqualTo(LATER);
        assertThat(due("extended")).isEqualTo(LATER.plusSeconds(60));
    }

    @Test
    void reconcileWhenATaskIsUnderDeliveryLeavesItAlone() {
        orders.place("right", NOW);
        schedule("right", NOW);
        schedule("over", NOW);
        List<ReconcileResult> results = new ArrayList<>();
        deliver(delivery -> {
            if (results.isEmpty()) {
                results.add(reconciler.reconcile(
                        request(orders).mend(EnumSet.allOf(Kind.class)).build()));
            }
            delivery.settle(Outcome.delivered());
        });
        assertThat(results).singleElement().satisfies(result -> {
            assertThat(result.isClean()).isTrue();
            assertThat(result.underWay()).isEqualTo(2);
        });
    }

    @Test
    void reconcileWhenInterruptedEndsWithItsPage() {
        for (int i = 0; i < 10; i++) {
            orders.place("order-" + i, LATER);
        }
        List<String> found = new ArrayList<>();

        ReconcileResult result = reconciler.reconcile(request(orders)
                .pageSize(3)
                .onDifference(difference -> {
                    found.add(difference.id());
                    if (found.size() == 4) {
                        Thread.currentThread().interrupt();
                    }
                })
                .build());

        assertThat(Thread.interrupted()).isTrue();
        assertThat(found).hasSize(6);
        assertThat(result.finished()).isFalse();
        assertThat(result.isClean()).isFalse();
        assertThat(result.found()).containsEntry(Kind.MISSING, 6L);
    }

    @Test
    void reconcileWhenTheQueryFailsTellsHowFarItCame() {
        for (int i = 0; i < 6; i++) {
            orders.place("order-" + i, LATER);
        }
        ExpectedTasks failing = new ExpectedTasks() {

            @Override
            public List<ScheduleRequest<?>> page(@Nullable String after, int limit) {
                if ("order-2".equals(after)) {
                    throw new IllegalStateException("the database is away");
                }
                return orders.page(after, limit);
            }

            @Override
            public List<ScheduleRequest<?>> find(Collection<String> ids) {
                return orders.find(ids);
            }
        };
        assertThatExceptionOfType(ReconcileException.class)
                .isThrownBy(
                        () -> reconciler.reconcile(request(failing).pageSize(3).build()))
                .withMessageContaining("the database is away")
                .satisfies(failure -> {
                    assertThat(failure.result().found()).containsEntry(Kind.MISSING, 3L);
                    assertThat(failure.result().finished()).isFalse();
                });
    }

    @Test
    void reconcileWhenAPageDoesNotGoOnFails() {
        orders.place("order-1", LATER);
        ExpectedTasks circle = new ExpectedTasks() {

            @Override
            public List<ScheduleRequest<?>> page(@Nullable String after, int limit) {
                return orders.page(null, limit);
            }

            @Override
            public List<ScheduleRequest<?>> find(Collection<String> ids) {
                return orders.find(ids);
            }
        };
        assertThatExceptionOfType(ReconcileException.class)
                .isThrownBy(() -> reconciler.reconcile(request(circle).build()))
                .withMessageContaining("must begin after");
    }

    @Test
    void reconcileWhenItHasWaitedForADifferenceKeepsItsPaceAfterwards() {
        orders.place("a-missing", LATER);
        for (int i = 0; i < 50; i++) {
            orders.place("order-" + i, LATER);
            schedule("order-" + i, LATER);
        }
        long begin = System.nanoTime();
        Duration settle = Duration.ofSeconds(1);

        ReconcileResult result = reconciler.reconcile(
                request(orders).settle(settle).pageSize(1).perSecond(50).build());

        assertThat(result.looked()).isGreaterThanOrEqualTo(100);
        // but for a burst of 100 ms
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(settle.plusMillis(1800));
    }

    @Test
    void reconcileWhenAnotherQueuesTaskIsExpectedFails() {
        ExpectedTasks wrong = new ExpectedTasks() {
            @Override
            public List<ScheduleRequest<?>> page(@Nullable String after, int limit) {
                return after == null ? List.of(requestTo("mails", "m", "x", LATER)) : List.of();
            }

            @Override
            public List<ScheduleRequest<?>> find(Collection<String> ids) {
                return page(null, 1);
            }
        };

        assertThatExceptionOfType(ReconcileException.class)
                .isThrownBy(() -> reconciler.reconcile(request(wrong).build()))
                .withMessageContaining("expected in queue 'mails', but this run compares queue 'orders'");
    }

    @Test
    void reconcileWithAPaceTakesItsTime() {
        for (int i = 0; i < 10; i++) {
            orders.place("order-" + i, LATER);
            schedule("order-" + i, LATER);
        }
        long begin = System.nanoTime();
        ReconcileResult result =
                reconciler.reconcile(request(orders).perSecond(50).build());
        assertThat(result.isClean()).isTrue();
        assertThat(result.looked()).isEqualTo(20);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(400));
    }

    @Test
    void reconcileWhenAMissingTaskIsTooLateDoesNotHaveItDelivered() {
        orders.place("late", NOW.minus(Duration.ofHours(1)));
        ReconcileResult result = reconciler.reconcile(request(each(task -> task.expiresAfter(Duration.ofMinutes(1))))
                .mend(EnumSet.of(Kind.MISSING))
                .build());
        assertThat(result.mended()).containsEntry(Kind.MISSING, 1L);
        List<String> delivered = new ArrayList<>();
        deliver(delivery -> {
            delivered.add(delivery.id());
            delivery.settle(Outcome.delivered());
        });
        assertThat(delivered).isEmpty();
    }

    @Test
    void reconcileWhenTheDueTimeIsOutsideOfTheHoursComparesWithTheirOpening() {
        Instant opening = IN_THE_NIGHT.plus(Duration.ofHours(11));
        ExpectedTasks withHours = each(task -> task.within(DAYTIME));
        orders.place("missing", IN_THE_NIGHT);
        orders.place("moved", IN_THE_NIGHT);
        schedule("moved", opening.plusSeconds(60));
        orders.place("same-opening", IN_THE_NIGHT);
        schedule("same-opening", IN_THE_NIGHT.plusSeconds(60));
        orders.place("right", IN_THE_NIGHT);
        queues.template().schedule(withHours.find(List.of("right")).get(0));
        assertThat(due("right")).isEqualTo(opening);

        ReconcileResult result = reconciler.reconcile(
                request(withHours).mend(EnumSet.allOf(Kind.class)).build());

        assertThat(result.examples()).extracting(ReconcileDifference::id).containsExactlyInAnyOrder("missing", "moved");
        assertThat(result.examples()).allMatch(ReconcileDifference::mended);
        assertThat(due("missing")).isEqualTo(opening);
        assertThat(due("moved")).isEqualTo(opening);
        assertThat(reconciler.reconcile(request(withHours).build()).isClean()).isTrue();
    }

    @Test
    void reconcileWhenTheHoursHaveJustBegunDoesNotMissWhatTheyHaveKeptWaiting() {
        orders.place("at-the-broker", NOW.minus(Duration.ofHours(2)));
        ReconcileResult atOpening =
                reconciler.reconcile(request(each(task -> task.within(DeliveryWindow.parse("23:55-21:00 UTC"))))
                        .build());
        assertThat(atOpening.isClean()).isTrue();
        assertThat(atOpening.underWay()).isEqualTo(1);

        ReconcileResult later =
                reconciler.reconcile(request(each(task -> task.within(DeliveryWindow.parse("23:45-21:00 UTC"))))
                        .build());
        assertThat(later.found()).containsEntry(Kind.MISSING, 1L);
    }

    @Test
    void reconcileWhenWhatWasDueHasComeTooLateForTheDayComparesWithTheNextOpening() {
        schedule("late", NOW.plus(Duration.ofHours(9)));
        orders.place("late", NOW.minus(Duration.ofHours(6)));
        assertThat(reconciler
                        .reconcile(request(each(task -> task.within(DAYTIME))).build())
                        .isClean())
                .isTrue();
    }

    /** Creates one difference of each kind, and a correct order. */
    private void fourDifferences() {
        orders.place("missing", LATER);
        orders.place("moved", LATER);
        schedule("moved", LATER.plusSeconds(2));
        orders.place("right", LATER);
        schedule("right", LATER.plusMillis(900));
        schedule("over", LATER);
        orders.place("dead", NOW);
        schedule("dead", NOW);
        deliver(delivery -> delivery.settle(Outcome.dead("no such order")));
    }

    private void schedule(String id, Instant due) {
        queues.template().schedule(Orders.task(id, due.toEpochMilli()));
    }

    private void deliver(Consumer<OpenDelivery> end) {
        ScanTrigger trigger = new ScanTrigger(Orders.QUEUE) {
            @Override
            protected TaskDestination createDestination() {
                return deliveries -> deliveries.forEach(end);
            }
        };
        trigger.setBeanFactory(TestBeans.of(queues.triggerContext()));
        trigger.scanOnce(10);
        trigger.destroy();
    }

    /** The orders, whose requests say more. */
    private ExpectedTasks each(UnaryOperator<ScheduleRequest.Builder<?>> more) {
        return new ExpectedTasks() {

            @Override
            public List<ScheduleRequest<?>> page(@Nullable String after, int limit) {
                return with(orders.page(after, limit));
            }

            @Override
            public List<ScheduleRequest<?>> find(Collection<String> ids) {
                return with(orders.find(ids));
            }

            private List<ScheduleRequest<?>> with(List<? extends ScheduleRequest<?>> tasks) {
                List<ScheduleRequest<?>> changed = new ArrayList<>();
                tasks.forEach(task -> changed.add(more.apply(task.toBuilder()).build()));
                return changed;
            }
        };
    }

    /**
     * Returns the orders, one of which another transaction changes just before it is read in the repair's transaction.
     */
    private ExpectedTasks changingWhenMended(Consumer<String> change) {
        return new ExpectedTasks() {

            @Override
            public List<ScheduleRequest<?>> page(@Nullable String after, int limit) {
                return orders.page(after, limit);
            }

            @Override
            public List<ScheduleRequest<?>> find(Collection<String> ids) {
                if (TransactionSynchronizationManager.isActualTransactionActive()) {
                    CompletableFuture.runAsync(() -> ids.forEach(change)).join();
                }
                return orders.find(ids);
            }
        };
    }

    private Instant due(String id) {
        return queues.template().find(Orders.QUEUE, id).orElseThrow().dueAt();
    }

    private static ReconcileRequest.Builder request(ExpectedTasks expected) {
        return ReconcileRequest.of(Orders.QUEUE, expected).settle(Duration.ZERO).perSecond(1_000_000);
    }
}
