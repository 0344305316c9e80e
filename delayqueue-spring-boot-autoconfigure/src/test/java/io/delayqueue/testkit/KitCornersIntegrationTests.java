// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.testkit;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DeliveryInterceptor;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/**
 * The test kit with deliveries that are in progress or endless, and with interceptors and clocks of the application.
 */
@DelayQueueTest(
        value = Journal.class,
        clock = true,
        queues = {"orders", "reminders", "rounds", "order.timeouts", "order.timeouts"},
        properties = {
            "delayqueue.queues.orders.retry.delay=10s",
            "delayqueue.queues.orders.retry.jitter=0",
            "delayqueue.test.timeout=5s"
        })
@Import(KitCornersIntegrationTests.Application.class)
class KitCornersIntegrationTests {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @Autowired
    DelayQueueTestKit kit;

    @Autowired
    DelayQueueOperations tasks;

    @Autowired
    DelayQueueAdmin admin;

    @Autowired
    Journal journal;

    @Autowired
    HeardErrors heard;

    @Autowired
    Clock clock;

    private Instant begin;

    @BeforeEach
    void begin() {
        journal.entries.clear();
        begin = kit.now();
    }

    @AfterEach
    void letGo() {
        journal.hold.countDown();
    }

    @Test
    void resetWhenADeliveryIsUnderWayWaitsForItsEndAndDeletesWhatItSchedules() {
        beginHeld("then PT0S");
        CompletableFuture<Void> reset = CompletableFuture.runAsync(kit::reset);
        await().during(Duration.ofMillis(300)).until(() -> !reset.isDone());
        journal.hold.countDown();
        reset.join();
        kit.advance(SECOND);
        assertThat(journal.entries).containsExactly("order-1 at " + begin);
    }

    @Test
    void resetWhenADeliveryDoesNotEndSaysSoAndForgetsIt() {
        beginHeld("x");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(kit::reset)
                .withMessageContaining("Deliveries of this test have not ended")
                .withMessageContaining("queue 'orders': 'order-1' in progress");
        assertThat(kit.queue("orders")).hasNoTasks();
        journal.hold.countDown();
        assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> kit.awaitDelivered("orders", "order-1"));
    }

    @Test
    void advanceWhenADeliveryOfAPausedQueueIsUnderWayWaitsForItsEnd() {
        beginHeld("then PT1S");
        admin.pause("orders");
        CompletableFuture<Void> advance = CompletableFuture.runAsync(() -> kit.advance(SECOND));
        await().during(Duration.ofMillis(300)).until(() -> !advance.isDone());
        journal.hold.countDown();
        advance.join();
        assertThat(journal.entries).containsExactly("order-1 at " + begin, "of order-1 at " + begin.plus(SECOND));
    }

    @Test
    void advanceWhenATaskIsDueAgainAtOnceForEverSaysWhichAndWhen() {
        tasks.schedule(requestTo("rounds", "tick", "PT0S", SECOND));
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> kit.advance(Duration.ofMinutes(1)))
                .withMessageContaining(
                        "Task 'tick' of queue 'rounds' was delivered more than 1000 times at one moment, "
                                + begin.plus(SECOND));
    }

    @Test
    void drainWhenTheQueueIsPausedOrNobodyScansItSaysSo() {
        admin.pause("orders");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> kit.drain("orders"))
                .withMessage("Queue 'orders' cannot be drained: it is paused");
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> kit.drain("order.timeouts"))
                .withMessage(
                        "Queue 'order.timeouts' cannot be drained: no started trigger of this context scans it."
                                + " It needs a started handler, or an exchange and a broker (see delayqueue.test.embedded.rabbit)");
    }

    @Test
    void queuesWhenNamedWithADotOrTwiceAreThere() {
        tasks.schedule(requestTo("order.timeouts", "late", SECOND));
        assertThat(kit.queue("order.timeouts")).hasTaskCount(1);
    }

    @Test
    void failNextWhenAnInterceptorHasNoOrderIsHeardByIt() {
        tasks.schedule(requestTo("orders", "order-1", "x", SECOND));
        kit.failNext("orders", "order-1", 1);
        kit.advance(SECOND);
        assertThat(heard.errors)
                .singleElement()
                .satisfies(error -> assertThat(error).hasMessageContaining("The test requested this failure"));
    }

    @Test
    void clockWhenTheApplicationHasAPrimaryOneIsTheKits() {
        assertThat(clock.instant()).isEqualTo(begin);
        assertThat(clock).hasToString("DelayQueueTestKit.clock()[" + begin + ", Z]");
    }

    private void beginHeld(String payload) {
        journal.hold = new CountDownLatch(1);
        tasks.schedule(requestTo("orders", "order-1", payload, Duration.ZERO));
        await().until(() -> !journal.entries.isEmpty());
    }

    static class Application {

        @Bean
        HeardErrors heardErrors() {
            return new HeardErrors();
        }

        @Bean
        @Primary
        Clock systemClock() {
            return Clock.systemUTC();
        }
    }

    static class HeardErrors implements DeliveryInterceptor {

        final List<Throwable> errors = new CopyOnWriteArrayList<>();

        @Override
        public void error(Delivery delivery, Throwable error) {
            errors.add(error);
        }
    }
}
