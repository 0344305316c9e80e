// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.engine.CollectingDestination;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rate of a queue, over four shards and two processes. */
class QueueRateIntegrationTests {

    private static final String QUEUE = TriggerFixture.QUEUE;
    private static final int RATE = 200;
    private static final int BURST = RATE / 10;
    private static final int TASKS = 1_000;
    private static final long HALF_A_SECOND = TimeUnit.MILLISECONDS.toNanos(500);

    private final TriggerFixture fixture = new TriggerFixture();
    /** When each task was delivered, in order. */
    private final List<Long> moments = new CopyOnWriteArrayList<>();

    @BeforeEach
    void setUp() {
        fixture.shards = 4;
        fixture.limits = new LimitSettings(Rate.parse(RATE + "/s"), null, null, null);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private void startTwoProcesses() {
        for (int i = 0; i < 2; i++) {
            fixture.start(new CollectingDestination(delivery -> {
                moments.add(System.nanoTime());
                delivery.settle(Outcome.delivered());
            }));
        }
    }

    private void schedule(String key, int tasks) {
        List<ScheduleRequest<?>> requests = new ArrayList<>();
        for (int i = 0; i < tasks; i++) {
            requests.add(ScheduleRequest.to(QUEUE)
                    .key(key)
                    .payload("x")
                    .dueIn(Duration.ZERO)
                    .build());
        }
        fixture.template().scheduleAll(requests);
    }

    @Test
    void rateWhenTheLoadIsUnevenAmongShardsIsKeptAndUsed() {
        schedule("large", 850);
        for (int i = 0; i < 150; i++) {
            schedule("small" + i, 1);
        }
        long begin = System.nanoTime();
        startTwoProcesses();
        await().atMost(Duration.ofSeconds(30)).until(() -> moments.size() == TASKS);

        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        assertThat(took)
                .isBetween(
                        Duration.ofMillis((TASKS - BURST) * 1000 / RATE - 50),
                        Duration.ofMillis(2 * TASKS * 1000 / RATE));
        assertThat(medianOfHalfSeconds())
                .as("at least 90 % of the rate is used")
                .isGreaterThanOrEqualTo(0.9 * RATE / 2);
        assertThat(mostWithin(Duration.ofSeconds(1)))
                .as("deliveries within a second, some a little after their acquire")
                .isLessThanOrEqualTo(RATE + BURST + BURST);
    }

    @Test
    void rateWhenTasksAreFewDelaysNone() {
        startTwoProcesses();
        for (int i = 0; i < 10; i++) {
            int expected = i + 1;
            schedule("k" + i, 1);
            await().atMost(Duration.ofSeconds(10)).until(() -> moments.size() == expected);
        }
    }

    /** Returns the median of the deliveries in each half second. A busy machine may spoil some, but not most. */
    private double medianOfHalfSeconds() {
        long first = moments.stream().min(Long::compare).orElseThrow();
        long last = moments.stream().max(Long::compare).orElseThrow();
        List<Long> counts = LongStream.range(0, (last - first) / HALF_A_SECOND)
                .mapToObj(half -> moments.stream()
                        .filter(moment -> (moment - first) / HALF_A_SECOND == half)
                        .count())
                .sorted()
                .toList();
        return (counts.get((counts.size() - 1) / 2) + counts.get(counts.size() / 2)) / 2.0;
    }

    private long mostWithin(Duration window) {
        List<Long> sorted = moments.stream().sorted().toList();
        long most = 0;
        for (int from = 0, to = 0; to < sorted.size(); to++) {
            while (sorted.get(to) - sorted.get(from) >= window.toNanos()) {
                from++;
            }
            most = Math.max(most, to - from + 1);
        }
        return most;
    }
}
