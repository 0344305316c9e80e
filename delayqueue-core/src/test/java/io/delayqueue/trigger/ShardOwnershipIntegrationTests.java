// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import static io.delayqueue.TestRequests.requestTo;
import static io.delayqueue.trigger.TriggerFixture.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskIds;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.engine.CollectingDestination;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.Rate;
import io.delayqueue.internal.redis.wake.RedisWakeSignals;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.internal.store.WakeSignals.Registration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several processes on one queue, in one JVM: each has its own signals, as every process has. */
class ShardOwnershipIntegrationTests {

    /** A process that a slow machine holds up for less than two and a half of these stays a member. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(1);

    /** Enough shards that chance does not give all of them to one of two processes. */
    private static final int SHARDS = 16;

    private final TriggerFixture fixture = new TriggerFixture();
    private final List<RedisWakeSignals> processes = new ArrayList<>();

    @AfterEach
    void close() {
        fixture.close();
        processes.forEach(RedisWakeSignals::close);
    }

    private RedisWakeSignals process() {
        return process(HEARTBEAT);
    }

    private RedisWakeSignals process(Duration heartbeat) {
        RedisWakeSignals process = fixture.redis.wakeSignals(heartbeat);
        processes.add(process);
        return process;
    }

    @Test
    void joinWhenProcessesComeAndGoGivesEachShardToOneOfThem() {
        // so long that what follows a goodbye does not follow from a heartbeat that is missing
        Duration heartbeat = Duration.ofSeconds(10);
        AtomicInteger changes = new AtomicInteger();
        Registration a = listen(process(heartbeat), changes::incrementAndGet);
        assertThat(owned(a)).as("alone").hasSize(SHARDS);

        Registration b = listen(process(heartbeat), () -> {});
        await().atMost(Duration.ofSeconds(10)).until(() -> share(a, b));
        assertThat(owned(a)).doesNotContainAnyElementsOf(owned(b));
        assertThat(changes).hasPositiveValue();

        b.close();
        await().atMost(heartbeat).until(() -> owned(a).size() == SHARDS);
    }

    @Test
    void scanWhenTheOwnerOfAShardIsKilledIsTakenOverWithinItsHeartbeatExpiry() {
        fixture.shards = SHARDS;
        fixture.maxIdleInterval = Duration.ofMinutes(1);
        CollectingDestination destination = CollectingDestination.acknowledging();
        Registration survivor = start(process(), destination);
        RedisWakeSignals other = process();
        Registration killed = listen(other, () -> {});
        await().atMost(Duration.ofSeconds(10)).until(() -> share(survivor, killed));
        List<Integer> orphaned = owned(killed);
        AtomicInteger left = new AtomicInteger();
        List<String> ids = scheduleInEveryShard();
        await().during(HEARTBEAT.multipliedBy(3)).atMost(Duration.ofSeconds(10)).until(() -> {
            left.set(liveIn(orphaned));
            return left.get() >= orphaned.size() && liveIn(owned(killed)) == left.get();
        });
        assertThat(destination.ids()).hasSize(ids.size() - left.get());

        other.close();

        await().atMost(HEARTBEAT.multipliedBy(5)).until(() -> destination.ids().size() == ids.size());
        assertThat(destination.ids()).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void scanWhenAnotherOwnsTheShardServesItAtTheMaxIdleInterval() {
        fixture.shards = SHARDS;
        fixture.maxIdleInterval = Duration.ofMillis(300);
        Registration idle = listen(process(), () -> {});
        CollectingDestination destination = CollectingDestination.acknowledging();
        start(process(), destination);
        await().atMost(Duration.ofSeconds(10)).until(() -> owned(idle).size() < SHARDS);
        List<String> ids = scheduleInEveryShard();
        await().atMost(Duration.ofSeconds(10)).until(() -> destination.ids().size() == ids.size());
    }

    /** A single scan can take only one task of a key, so scans at the max-idle-interval would take 80 s. */
    @Test
    void scanWhenTheOwnerIsLostAndKeysHaveLimitsGoesOnAtTheirRate() {
        fixture.shards = SHARDS;
        fixture.maxIdleInterval = Duration.ofSeconds(2);
        fixture.limits = new LimitSettings(null, null, Rate.parse("20/s"), 1);
        Registration lost = listen(process(Duration.ofMinutes(10)), () -> {});
        CollectingDestination destination = CollectingDestination.acknowledging();
        Registration survivor = start(process(Duration.ofMinutes(10)), destination);
        await().atMost(Duration.ofSeconds(10)).until(() -> share(survivor, lost));
        String key = IntStream.range(0, 1000)
                .mapToObj(i -> "key-" + i)
                .filter(name -> lost.owns(Sharding.initial(SHARDS).homeOf(TaskIds.keyPrefix(name))))
                .findFirst()
                .orElseThrow();
        for (int i = 0; i < 40; i++) {
            fixture.template()
                    .schedule(ScheduleRequest.to(QUEUE)
                            .key(key)
                            .payload("x")
                            .dueIn(Duration.ZERO)
                            .build());
        }

        await().atMost(Duration.ofSeconds(12)).until(() -> destination.ids().size() == 40);

        assertThat(survivor.owns(Sharding.initial(SHARDS).homeOf(TaskIds.keyPrefix(key))))
                .as("the survivor has not noticed the loss")
                .isFalse();
    }

    @Test
    void scanWhenTheOwnerIsBusyIsHelpedByTheOthers() throws InterruptedException {
        fixture.threads = 1;
        fixture.batchSize = 1;
        fixture.maxIdleInterval = Duration.ofMinutes(1);
        CountDownLatch end = new CountDownLatch(1);
        Set<String> begun = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 3; i++) {
            start(process(), new CollectingDestination(delivery -> blockUntil(end, begun, delivery)));
        }
        try {
            for (int i = 1; i <= 3; i++) {
                fixture.template().schedule(requestTo(QUEUE, "x", Duration.ZERO));
                int expected = i;
                await().atMost(Duration.ofSeconds(10)).until(() -> begun.size() == expected);
            }
        } finally {
            end.countDown();
        }
    }

    private static void blockUntil(CountDownLatch end, Set<String> begun, OpenDelivery delivery) {
        begun.add(delivery.id());
        try {
            end.await();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        delivery.settle(Outcome.delivered());
    }

    private static Registration listen(RedisWakeSignals process, Runnable onChange) {
        return process.listen(QUEUE, new WakeSignals.Listener() {
            @Override
            public void wake(int shard) {}

            @Override
            public void wakeAll() {
                onChange.run();
            }
        });
    }

    private Registration start(RedisWakeSignals process, CollectingDestination destination) {
        AtomicReference<Registration> registration = new AtomicReference<>();
        fixture.wakeSignals = (queue, listener) -> {
            registration.set(process.listen(queue, listener));
            return registration.get();
        };
        fixture.start(destination);
        return registration.get();
    }

    /** Returns whether each of the two knows the other, and owns shards. */
    private static boolean share(Registration a, Registration b) {
        return !owned(a).isEmpty() && !owned(b).isEmpty() && owned(a).size() + owned(b).size() == SHARDS;
    }

    private List<String> scheduleInEveryShard() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 10 * SHARDS; i++) {
            ids.add(fixture.template()
                    .schedule(requestTo(QUEUE, "x", Duration.ZERO))
                    .id());
        }
        return ids;
    }

    private int liveIn(List<Integer> shards) {
        return shards.stream()
                .mapToInt(shard -> (int) fixture.redis
                        .store()
                        .shards()
                        .stats(new Shard(QUEUE, shard))
                        .join()
                        .live())
                .sum();
    }

    private static List<Integer> owned(Registration registration) {
        return IntStream.range(0, SHARDS).filter(registration::owns).boxed().toList();
    }
}
