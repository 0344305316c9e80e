// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.KeyLimits;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.engine.CollectingDestination;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Limits that are set at run time, while processes without limits in their configuration deliver. */
class KeyLimitsIntegrationTests {

    private static final String QUEUE = TriggerFixture.QUEUE;

    private final TriggerFixture fixture = new TriggerFixture();
    /** The number of deliveries by key. */
    private final Map<String, AtomicInteger> delivered = new ConcurrentHashMap<>();
    /** The deliveries in progress. */
    private final AtomicInteger active = new AtomicInteger();

    private final AtomicInteger mostActive = new AtomicInteger();
    private volatile long handlingMillis;
    private DelayQueueAdmin admin;

    @BeforeEach
    void startTwoProcesses() {
        fixture.maxIdleInterval = Duration.ofMinutes(10);
        fixture.batchSize = 1;
        admin = fixture.redis.admin(fixture.queues());
        for (int i = 0; i < 2; i++) {
            fixture.start(new CollectingDestination(delivery -> {
                mostActive.accumulateAndGet(active.incrementAndGet(), Math::max);
                try {
                    Thread.sleep(handlingMillis);
                } catch (InterruptedException ex) {
                    Thread.currentThread().interrupt();
                }
                active.decrementAndGet();
                delivered
                        .computeIfAbsent(key(delivery.id()), any -> new AtomicInteger())
                        .incrementAndGet();
                delivery.settle(Outcome.delivered());
            }));
        }
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String key(String id) {
        return id.startsWith("{a}") ? "a" : "others";
    }

    private int delivered(String key) {
        return delivered.getOrDefault(key, new AtomicInteger()).get();
    }

    private void schedule(String key, int tasks) {
        for (int i = 0; i < tasks; i++) {
            fixture.template()
                    .schedule(ScheduleRequest.to(QUEUE)
                            .key(key)
                            .payload("x")
                            .dueIn(Duration.ZERO)
                            .build());
        }
    }

    private void awaitDelivered(String key, int tasks) {
        await().atMost(Duration.ofSeconds(20)).until(() -> delivered(key) == tasks);
    }

    @Test
    void closeKeyWhenTasksBecomeDueHoldsThemInAllProcessesUntilTheKeyIsOpened() {
        schedule("a", 3);
        awaitDelivered("a", 3);
        admin.closeKey(QUEUE, "a", Instant.MAX);
        schedule("a", 20);
        schedule("b", 20);
        awaitDelivered("others", 20);

        await().atMost(Duration.ofSeconds(20)).until(() -> admin.stats(QUEUE).heldBack() == 20);
        assertThat(delivered("a")).isEqualTo(3);
        admin.openKey(QUEUE, "a");
        awaitDelivered("a", 23);
        schedule("a", 1);
        awaitDelivered("a", 24);
    }

    @Test
    void closeKeyWhenItsEndComesDeliversWithoutAnotherCall() {
        Instant until = Instant.ofEpochMilli(fixture.redis.serverMillis() + 700);
        admin.closeKey(QUEUE, "a", until);
        schedule("a", 5);
        awaitDelivered("a", 5);
        assertThat(fixture.redis.serverMillis()).isGreaterThanOrEqualTo(until.toEpochMilli());
    }

    @Test
    void setKeyLimitsWhenTasksWaitChangesTheirConcurrencyAtOnce() {
        handlingMillis = 100;
        admin.setKeyLimits(QUEUE, "a", KeyLimits.NONE.withConcurrency(1));
        schedule("a", 25);
        awaitDelivered("a", 4);
        assertThat(mostActive).hasValue(1);

        admin.setKeyLimits(QUEUE, "a", KeyLimits.NONE.withConcurrency(3));
        awaitDelivered("a", 25);
        assertThat(mostActive).hasValue(3);
    }

    @Test
    void setKeyLimitsWhenTheyAreRemovedLetsAllWaitingTasksGo() {
        admin.setKeyLimits(QUEUE, "a", KeyLimits.rate(1, Duration.ofHours(1)));
        schedule("a", 50);
        awaitDelivered("a", 1);
        admin.setKeyLimits(QUEUE, "a", KeyLimits.NONE);
        awaitDelivered("a", 50);
    }
}
