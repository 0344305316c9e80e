// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.FoundTask;
import io.delayqueue.TaskState;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.engine.CollectingDestination;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.Rate;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tasks that are taken before they are due are not delivered before. All times are those of the Redis server's clock.
 */
class LookAheadIntegrationTests {

    private static final String QUEUE = TriggerFixture.QUEUE;
    private static final Shard SHARD = new Shard(QUEUE, 0);

    private final TriggerFixture fixture = new TriggerFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void deliverWhenTheTaskIsAcquiredAheadWaitsForItsDueTime() {
        fixture.lookAhead = Duration.ofMillis(50);
        Map<String, Long> dueAt = new ConcurrentHashMap<>();
        Map<String, Long> acquiredAt = new ConcurrentHashMap<>();
        Map<String, Long> deliveredAt = new ConcurrentHashMap<>();
        fixture.start(new CollectingDestination(delivery -> {
            deliveredAt.put(delivery.id(), fixture.redis.serverMillis());
            acquiredAt.put(delivery.id(), leaseDeadline(delivery.id()) - fixture.lease.toMillis());
            delivery.settle(Outcome.delivered());
        }));
        long now = fixture.redis.serverMillis();
        for (int i = 0; i < 8; i++) { // far enough apart for each to be alone
            long due = now + 300 + 100 * i;
            dueAt.put(
                    fixture.template()
                            .schedule(requestTo(QUEUE, "x", Instant.ofEpochMilli(due)))
                            .id(),
                    due);
        }
        awaitEmpty();

        assertThat(dueAt).allSatisfy((id, due) -> {
            assertThat(deliveredAt.get(id)).isGreaterThanOrEqualTo(due);
            assertThat(acquiredAt.get(id)).isGreaterThanOrEqualTo(due - 50);
        });
        assertThat(dueAt.keySet())
                .as("acquired ahead; on a busy machine not each")
                .anyMatch(id -> acquiredAt.get(id) < dueAt.get(id));
    }

    @Test
    void retryWhenItFallsIntoTheLookAheadWaitsForItsTime() {
        fixture.lookAhead = Duration.ofMillis(50);
        Map<String, Long> failedAt = new ConcurrentHashMap<>();
        Map<String, Long> retriedAt = new ConcurrentHashMap<>();
        fixture.start(new CollectingDestination(delivery -> {
            if (delivery.attempt() == 1) {
                failedAt.put(delivery.id(), fixture.redis.serverMillis());
                delivery.settle(Outcome.failed("not yet").retryAfter(Duration.ofMillis(60)));
            } else {
                retriedAt.put(delivery.id(), fixture.redis.serverMillis());
                delivery.settle(Outcome.delivered());
            }
        }));
        for (int i = 0; i < 10; i++) {
            fixture.template().schedule(requestTo(QUEUE, "x", Duration.ofMillis(20 * i)));
        }
        awaitEmpty();

        assertThat(retriedAt)
                .hasSize(10)
                .allSatisfy((id, at) -> assertThat(at - failedAt.get(id)).isGreaterThanOrEqualTo(60));
    }

    @Test
    void stopWhenATaskIsHeldBackGivesItBackForItsDueTime() {
        fixture.lookAhead = Duration.ofMillis(100);
        FoundTask<String> held = null;
        long due = 0;
        for (int round = 0; round < 10 && held == null; round++) { // on a busy machine it may be due before the stop
            CollectingDestination destination = CollectingDestination.acknowledging();
            ScanTrigger trigger = fixture.start(destination);
            due = fixture.redis.serverMillis() + 250;
            String id = fixture.template()
                    .schedule(requestTo(QUEUE, "x", Instant.ofEpochMilli(due)))
                    .id();
            await().pollInterval(Duration.ofMillis(1)).until(() -> leased() == 1 || live() == 0);
            trigger.stop();
            if (fixture.redis.serverMillis() < due) {
                assertThat(destination.ids()).isEmpty();
                held = fixture.template().find(QUEUE, id, String.class).orElseThrow();
            } else {
                fixture.template().cancel(QUEUE, id);
            }
        }

        assertThat(held).isNotNull();
        assertThat(held.state()).isEqualTo(TaskState.SCHEDULED);
        assertThat(held.failures()).isZero();
        assertThat(held.nextAttentionAt().toEpochMilli()).isEqualTo(due);
    }

    @Test
    void rateWhenOverdueWhenManyAreOverdueSpreadsThemOut() {
        fixture.limits = new LimitSettings(null, Rate.parse("40/s"), null, null);
        CollectingDestination destination = CollectingDestination.acknowledging();
        Instant overdue = Instant.ofEpochMilli(fixture.redis.serverMillis()).minusSeconds(60);
        for (int i = 0; i < 100; i++) {
            fixture.template().schedule(requestTo(QUEUE, "x", overdue));
        }
        long began = System.nanoTime();
        fixture.start(destination);
        awaitEmpty();

        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .isBetween(Duration.ofMillis((100 - 5) * 1000 / 40), Duration.ofMillis(2 * 100 * 1000 / 40));
        assertThat(destination.ids()).hasSize(100).doesNotHaveDuplicates();
    }

    /** While a task is leased, its place in the index is the end of its lease. */
    private long leaseDeadline(String id) {
        return Objects.requireNonNull(fixture.redis.index(SHARD).get(id));
    }

    private long leased() {
        return fixture.redis.store().shards().stats(SHARD).join().leased();
    }

    private long live() {
        return fixture.redis.store().shards().stats(SHARD).join().live();
    }

    private void awaitEmpty() {
        await().pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(20))
                .until(() -> live() == 0);
    }
}
