// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.testkit;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DeliveryInterceptor;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import io.delayqueue.trigger.ScanTrigger;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;

/** The end of a test while many of its tasks are due: most are acquired already, and wait for a thread. */
@DelayQueueTest(
        value = {
            BusyResetIntegrationTests.Handler.class,
            BusyResetIntegrationTests.Shipping.class,
            BusyResetIntegrationTests.Doorway.class
        },
        queues = {"orders", "shipments"},
        properties = {"delayqueue.queues.orders.trigger.concurrency=2", "delayqueue.test.timeout=2s"})
class BusyResetIntegrationTests {

    @Autowired
    DelayQueueTestKit kit;

    @Autowired
    DelayQueueOperations tasks;

    @Autowired
    DelayQueueAdmin admin;

    @Autowired
    Handler handler;

    @Autowired
    Doorway doorway;

    @BeforeEach
    void begin() {
        handler.begun.clear();
        handler.hold = new CountDownLatch(1);
        doorway.waiting.set(0);
        doorway.errors.clear();
    }

    @Test
    void resetWhenManyTasksAreDueWaitsForThoseAloneWhoseHandlersHaveBegun() {
        scheduleAtOnce("PT0.5S");
        await().until(() -> !handler.begun.isEmpty());
        kit.reset();
        int begun = handler.begun.size();
        assertThat(begun).isLessThan(10);
        assertThat(kit.queue("orders")).hasNoTasks().hasNoDeadTasks();
        await().during(Duration.ofSeconds(1)).until(() -> handler.begun.size() == begun);
    }

    @Test
    void resetWhenHandlersHaveBegunLetsNoOtherBegin() {
        handler.hold = new CountDownLatch(1);
        scheduleAtOnce("PT1M");
        await().until(() -> handler.begun.size() == 2);
        CompletableFuture<Void> reset = CompletableFuture.runAsync(kit::reset);
        await().during(Duration.ofMillis(300)).until(() -> !reset.isDone());
        handler.hold.countDown();
        reset.join();
        assertThat(handler.begun).hasSize(2);

        tasks.schedule(requestTo("orders", "PT0S", Duration.ZERO));
        kit.advance(Duration.ZERO);
        assertThat(handler.begun).hasSize(3);
    }

    @Test
    void resetWhenHandlersEndOneAfterTheOtherHasPatienceSinceTheLast() {
        tasks.schedule(requestTo("orders", "PT1.2S", Duration.ZERO));
        tasks.schedule(requestTo("orders", "PT2.4S", Duration.ZERO));
        await().until(() -> handler.begun.size() == 2);
        kit.reset();
        assertThat(kit.queue("orders")).hasNoTasks();
    }

    /** Deliveries to handlers call the interceptors themselves; for other destinations the engine calls them. */
    @ParameterizedTest
    @ValueSource(strings = {"orders", "shipments"})
    void resetWhenAnInterceptorHoldsUpADeliveryDoesNotLetItBegin(String queue) {
        doorway.open = new CountDownLatch(1);
        tasks.schedule(requestTo(queue, "PT0S", Duration.ZERO));
        await().until(() -> doorway.waiting.get() == 1);
        CompletableFuture<Void> reset = CompletableFuture.runAsync(kit::reset);
        await().during(Duration.ofMillis(300)).until(() -> !reset.isDone());
        doorway.open.countDown();
        reset.join();
        assertThat(handler.begun).isEmpty();
        assertThat(doorway.errors).singleElement().asString().contains("the test kit is resetting");
        assertThat(kit.queue(queue)).hasNoTasks().hasNoDeadTasks();
    }

    private void scheduleAtOnce(String lasts) {
        admin.pause("orders");
        for (int i = 0; i < 100; i++) {
            tasks.schedule(requestTo("orders", lasts, Duration.ZERO));
        }
        admin.resume("orders");
    }

    static class Handler {

        final List<String> begun = new CopyOnWriteArrayList<>();
        volatile CountDownLatch hold = new CountDownLatch(1);

        @DelayQueueListener(queue = "orders")
        void handle(String lasts) throws InterruptedException {
            begun.add(lasts);
            hold.await(Duration.parse(lasts).toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Takes batches of deliveries that the engine has begun. */
    static class Shipping extends ScanTrigger {

        private final Handler handler;

        Shipping(Handler handler) {
            super("shipments");
            this.handler = handler;
        }

        @Override
        protected TaskDestination createDestination() {
            return batch -> batch.forEach(delivery -> {
                handler.begun.add(delivery.id());
                delivery.settle(Outcome.delivered());
            });
        }
    }

    /** Deliveries pass it while it is open. */
    static class Doorway implements DeliveryInterceptor {

        final AtomicInteger waiting = new AtomicInteger();
        final List<Throwable> errors = new CopyOnWriteArrayList<>();
        volatile CountDownLatch open = new CountDownLatch(0);

        @Override
        public void before(Delivery delivery) {
            waiting.incrementAndGet();
            try {
                open.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void error(Delivery delivery, Throwable error) {
            errors.add(error);
        }
    }
}
