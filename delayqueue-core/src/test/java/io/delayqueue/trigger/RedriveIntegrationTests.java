// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.RedriveResult;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.admin.RedriveProcess;
import io.delayqueue.internal.engine.CollectingDestination;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.store.Shard;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Redriving at a pace, and pausing, seen from the triggers. */
class RedriveIntegrationTests {

    private static final String QUEUE = TriggerFixture.QUEUE;
    private static final int TASKS = 10_000;
    private static final int PER_SECOND = 1_000;

    private final TriggerFixture fixture = new TriggerFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private DelayQueueAdmin admin() {
        return fixture.redis.admin(fixture.queues());
    }

    private RedriveProcess redriveInAProcess() throws IOException {
        return RedriveProcess.start(fixture.redis.port(), fixture.redis.prefix(), QUEUE, fixture.shards, PER_SECOND);
    }

    private void makeDead(int tasks) {
        for (int shard = 0; shard < fixture.shards; shard++) {
            int number = shard;
            fixture.redis.makeDead(
                    new Shard(QUEUE, shard),
                    IntStream.range(0, tasks)
                            .mapToObj(i -> "t" + i)
                            .filter(id -> Sharding.initial(fixture.shards).homeOf(id) == number)
                            .toList());
        }
        assertThat(admin().stats(QUEUE).dead()).isEqualTo(tasks);
    }

    private List<Long> dueTimes() {
        List<Long> dues = new ArrayList<>();
        for (int shard = 0; shard < fixture.shards; shard++) {
            dues.addAll(fixture.redis.index(new Shard(QUEUE, shard)).values());
        }
        dues.sort(null);
        return dues;
    }

    /** @param unusedMillis time that may have passed, or was reserved, without a due time in it */
    private static void assertPaced(List<Long> dues, int perSecond, long unusedMillis) {
        for (int i = 0; i + perSecond < dues.size(); i++) {
            assertThat(dues.get(i + perSecond) - dues.get(i))
                    .as("from the due time of task %d to that of the one %d later", i, perSecond)
                    .isGreaterThanOrEqualTo(999);
        }
        long expected = (dues.size() - 1) * 1000L / perSecond;
        assertThat(dues.get(dues.size() - 1) - dues.get(0)).isBetween(expected - 2, expected + 500 + unusedMillis);
    }

    @Test
    void redriveAllWhenKilledInTheMiddleAndCalledAgainKeepsThePaceAndLosesNothing() throws Exception {
        fixture.shards = 3;
        makeDead(TASKS);

        try (RedriveProcess first = redriveInAProcess()) {
            first.await(() -> admin().stats(QUEUE).dead() < TASKS);
            first.kill();
        }

        long stillDead = admin().stats(QUEUE).dead();
        assertThat(stillDead).as("dead after the kill").isBetween(1L, TASKS - 1L);
        List<Long> before = dueTimes();
        assertThat(before).hasSize((int) (TASKS - stillDead));
        for (int shard = 0; shard < fixture.shards; shard++) {
            assertThat(fixture.redis.brokenInvariant(new Shard(QUEUE, shard))).isEmpty();
        }

        RedriveResult rest = admin().redriveAll(QUEUE, PER_SECOND);
        long pause = Math.max(0, fixture.redis.serverMillis() - before.get(before.size() - 1));

        assertThat(rest.redriven()).isEqualTo(stillDead);
        assertThat(rest.skipped()).isEmpty();
        List<Long> dues = dueTimes();
        assertThat(dues).hasSize(TASKS);
        assertPaced(dues, PER_SECOND, pause);
        assertThat(rest.lastDueAt()).contains(Instant.ofEpochMilli(dues.get(TASKS - 1)));
    }

    @Test
    void redriveAllWhenATriggerDrainsArrivesAtThePaceAskedFor() {
        int tasks = 5 * PER_SECOND;
        makeDead(tasks);
        Map<String, Long> arrivals = new ConcurrentHashMap<>();
        CollectingDestination destination = new CollectingDestination(delivery -> {
            arrivals.put(
                    delivery.id(), delivery.dueAt().plus(delivery.lateness()).toEpochMilli());
            assertThat(delivery.attempt()).isEqualTo(1);
            delivery.settle(Outcome.delivered());
        });
        fixture.start(destination);
        long begin = fixture.redis.serverMillis();

        admin().redriveAll(QUEUE, PER_SECOND);
        long took = fixture.redis.serverMillis() - begin;

        await().atMost(Duration.ofSeconds(30)).until(() -> arrivals.size() == tasks);
        assertThat(destination.seen()).as("each once").hasSize(tasks);
        assertThat(destination.seen()).extracting(Delivery::lateness).noneMatch(Duration::isNegative);
        List<Long> times = new ArrayList<>(arrivals.values());
        times.sort(null);
        long last = times.get(tasks - 1);
        assertThat(last - begin).as("ms until the last arrival").isBetween(4_900L, 8_000L);
        // by their due times, which a machine that stands still does not change; none came before its own
        assertPaced(
                destination.seen().stream()
                        .map(delivery -> delivery.dueAt().toEpochMilli())
                        .sorted()
                        .toList(),
                PER_SECOND,
                took);
        System.out.println("redrive: last arrival after " + (last - begin) + " ms");
        assertThat(admin().stats(QUEUE).dead()).isZero();
    }

    @Test
    void redriveAllWhenTwoProcessesDoItAtTheSameTimeIsNoFasterThanOne() throws Exception {
        makeDead(4_000);
        try (RedriveProcess other = redriveInAProcess()) {
            other.await(() -> admin().stats(QUEUE).dead() < 4_000);

            admin().redriveAll(QUEUE, PER_SECOND);
            other.awaitEnd();
        }

        assertThat(dueTimes()).hasSize(4_000);
        // Both may have reserved a due time for a task.
        assertPaced(dueTimes(), PER_SECOND, 4_000);
    }

    @Test
    void pauseWhenCalledStopsEveryTriggerAtOnceAndResumeWakesThem() {
        CollectingDestination first = CollectingDestination.acknowledging();
        CollectingDestination second = CollectingDestination.acknowledging();
        fixture.start(first);
        fixture.start(second);
        fixture.template().schedule(requestTo(QUEUE, "before", Duration.ZERO));
        await().atMost(Duration.ofSeconds(5))
                .until(() -> first.ids().size() + second.ids().size() == 1);

        admin().pause(QUEUE);
        for (int i = 0; i < 50; i++) {
            fixture.template().schedule(requestTo(QUEUE, "x" + i, Duration.ZERO));
        }

        await().during(Duration.ofMillis(500))
                .atMost(Duration.ofSeconds(10))
                .until(() -> first.ids().size() + second.ids().size() == 1);
        assertThat(admin().isPaused(QUEUE)).isTrue();
        assertThat(admin().statsByQueue().get(QUEUE).ready()).isEqualTo(50);
        admin().resume(QUEUE);
        await().atMost(Duration.ofSeconds(10))
                .until(() -> first.ids().size() + second.ids().size() == 51);
        assertThat(admin().isPaused(QUEUE)).isFalse();
    }
}
