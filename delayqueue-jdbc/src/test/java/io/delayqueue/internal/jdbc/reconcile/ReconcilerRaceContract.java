// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.jdbc.DelayQueueReconciler;
import io.delayqueue.jdbc.ExpectedTasks;
import io.delayqueue.jdbc.ReconcileDifference.Kind;
import io.delayqueue.jdbc.ReconcileRequest;
import io.delayqueue.jdbc.ReconcileResult;
import io.delayqueue.jdbc.TestOutbox;
import io.delayqueue.jdbc.autoconfigure.DelayQueueJdbcAutoConfiguration;
import io.delayqueue.trigger.TestQueues;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A reconciler against transactions of the application, with a real outbox in whatever database. */
abstract class ReconcilerRaceContract {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Instant later = Instant.now().plus(1, ChronoUnit.HOURS).truncatedTo(ChronoUnit.MILLIS);

    abstract DataSource dataSource();

    @Test
    void reconcileWhenALeftOverTaskIsScheduledAnewMeanwhileDoesNotCancelIt() {
        run((orders, app) -> {
            app.queue().schedule(Orders.task("a", later.toEpochMilli()));
            ReconcileResult result = reconcileBeside(app, orders, 2, () -> {
                orders.place("a", later.plusSeconds(60));
                app.outbox().schedule(Orders.task("a", later.plusSeconds(60).toEpochMilli()));
            });
            assertThat(result.found()).containsEntry(Kind.LEFT_OVER, 1L);
            assertThat(result.mended()).containsEntry(Kind.LEFT_OVER, 0L);
            await().atMost(PATIENCE)
                    .until(
                            () -> app.queue()
                                    .find(Orders.QUEUE, "a")
                                    .orElseThrow()
                                    .dueAt(),
                            later.plusSeconds(60)::equals);
            await().during(Duration.ofMillis(300))
                    .until(() -> app.queue().find(Orders.QUEUE, "a").isPresent());
        });
    }

    @Test
    void reconcileWhenAMissingTasksOrderEndsMeanwhileDoesNotSchedule() {
        run((orders, app) -> {
            orders.place("a", later);
            ReconcileResult result = reconcileBeside(app, orders, 1, () -> {
                orders.close("a");
                app.outbox().cancel(Orders.QUEUE, "a");
            });
            assertThat(result.found()).containsEntry(Kind.MISSING, 1L);
            assertThat(result.mended()).containsEntry(Kind.MISSING, 0L);
            await().during(Duration.ofMillis(300))
                    .atMost(PATIENCE)
                    .until(() -> app.queue().find(Orders.QUEUE, "a").isEmpty());
        });
    }

    @Test
    void reconcileWhenTheDatabaseIsRightMendsThroughTheOutbox() {
        run((orders, app) -> {
            orders.place("missing", later);
            app.queue().schedule(Orders.task("over", later.toEpochMilli()));
            ReconcileResult result = app.reconciler().reconcile(request(orders));
            assertThat(result.mended()).containsEntry(Kind.MISSING, 1L).containsEntry(Kind.LEFT_OVER, 1L);
            await().atMost(PATIENCE)
                    .until(() -> app.queue().find(Orders.QUEUE, "missing").isPresent()
                            && app.queue().find(Orders.QUEUE, "over").isEmpty());
        });
    }

    /**
     * Reconciles while a transaction of the application is open, which commits only when the reconciler wants to mend.
     *
     * @param lastLook which call of find is the last before that
     */
    private ReconcileResult reconcileBeside(Application app, Orders orders, int lastLook, Runnable change) {
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch mends = new CountDownLatch(1);
        CompletableFuture<Void> application =
                CompletableFuture.runAsync(() -> app.transaction().executeWithoutResult(status -> {
                    change.run();
                    written.countDown();
                    within(mends);
                    // enough time to cancel or schedule for a reconciler that does not wait
                    within(new CountDownLatch(1), 300);
                }));
        within(written);
        ReconcileResult result = app.reconciler().reconcile(request(new ExpectedTasks() {

            private int looks;

            @Override
            public List<ScheduleRequest<?>> page(@Nullable String after, int limit) {
                return orders.page(after, limit);
            }

            @Override
            public List<ScheduleRequest<?>> find(Collection<String> ids) {
                List<ScheduleRequest<?>> found = orders.find(ids);
                if (++looks == lastLook) {
                    mends.countDown();
                }
                return found;
            }
        }));
        application.join();
        return result;
    }

    private static ReconcileRequest request(ExpectedTasks expected) {
        return ReconcileRequest.of(Orders.QUEUE, expected)
                .mend(EnumSet.allOf(Kind.class))
                .settle(Duration.ofMillis(10))
                .build();
    }

    private void run(BiConsumer<Orders, Application> test) {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource());
        TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource()));
        Orders orders = new Orders(jdbc);
        QueueSettings settings = QueueSettings.withDefaults(Orders.QUEUE);
        try (TestQueues queues = new TestQueues(settings)) {
            new ApplicationContextRunner()
                    .withBean(DataSource.class, this::dataSource)
                    .withBean(DelayQueueTemplate.class, queues::template)
                    .withBean(DelayQueueAdmin.class, queues::admin)
                    .withBean(QueueCatalog.class, () -> new QueueCatalog(List.of(settings)))
                    .withConfiguration(AutoConfigurations.of(DelayQueueJdbcAutoConfiguration.class))
                    .withPropertyValues("delayqueue.jdbc.initialize-schema=always")
                    .run(context -> test.accept(
                            orders,
                            new Application(
                                    queues.template(),
                                    TestOutbox.of(context),
                                    context.getBean(DelayQueueReconciler.class),
                                    transaction)));
        }
    }

    private static void within(CountDownLatch latch) {
        assertThat(within(latch, PATIENCE.toMillis())).isTrue();
    }

    private static boolean within(CountDownLatch latch, long millis) {
        try {
            return latch.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException ex) {
            throw new AssertionError(ex);
        }
    }

    private record Application(
            DelayQueueTemplate queue,
            DelayQueueOperations outbox,
            DelayQueueReconciler reconciler,
            TransactionTemplate transaction) {}
}
