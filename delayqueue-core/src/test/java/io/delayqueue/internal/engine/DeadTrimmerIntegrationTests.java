// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.DeadSettings;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class DeadTrimmerIntegrationTests {

    private final StoreFixture redis = new StoreFixture();
    private final Shardings shardings = Shardings.fixed(queue -> Sharding.initial(8));
    private final AtomicLong trimmed = new AtomicLong();
    private final DeliveryEvents events = new DeliveryEvents(List.of(new DeliveryCounter() {
        @Override
        public void trimmed(String queue, int tasks) {
            trimmed.addAndGet(tasks);
        }
    }));
    private final DeadTrimmer trimmer = trimmer(50);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.list = new CopyOnWriteArrayList<>();
        log.start();
        ((Logger) LoggerFactory.getLogger(DeadTrimmer.class)).addAppender(log);
    }

    @AfterEach
    void close() {
        ((Logger) LoggerFactory.getLogger(DeadTrimmer.class)).detachAppender(log);
        trimmer.close();
        redis.close();
    }

    private DeadTrimmer trimmer(int periodMillis) {
        return new DeadTrimmer(
                redis.store(), shardings, new Scheduler().worker(), events, Duration.ofMillis(periodMillis));
    }

    private static QueueSettings queue(int shards, DeadSettings dead) {
        return QueueSettingsBuilder.of("orders").shards(shards).dead(dead).build();
    }

    private void makeDead(int shard, int tasks) {
        redis.makeDead(
                new Shard("orders", shard),
                IntStream.range(0, tasks).mapToObj(i -> "s" + shard + "-" + i).toList());
    }

    private long dead(int shard) {
        return redis.store().shards().stats(new Shard("orders", shard)).join().dead();
    }

    private List<String> warnings() {
        return log.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void trimWhenTheCapIsBelowTheNumberOfShardsKeepsAsManyAsItSays() {
        for (int i = 0; i < 12; i++) {
            redis.putDead(new Shard("orders", i % 6), "dead-" + i, 1_000 + i);
        }

        trimmer.watch(queue(6, new DeadSettings(null, 5)));

        await().atMost(Duration.ofSeconds(5)).until(() -> trimmed.get() >= 7);
        await().during(Duration.ofMillis(300)).atMost(Duration.ofSeconds(10)).until(() -> ids(6).size() == 5);
        assertThat(ids(6)).containsExactlyInAnyOrder("dead-7", "dead-8", "dead-9", "dead-10", "dead-11");
    }

    @Test
    void trimWhenTasksAreQuarantinedNeitherCountsNorDropsThem() {
        for (int i = 0; i < 6; i++) {
            redis.putDead(new Shard("orders", i % 2), "quarantined-" + i, 1_000_000_000_000_000L + i);
            redis.putDead(new Shard("orders", i % 2), "dead-" + i, 1_000 + i);
        }

        trimmer.watch(queue(2, new DeadSettings(Duration.ofDays(36_500), 2)));

        await().atMost(Duration.ofSeconds(5)).until(() -> trimmed.get() >= 4);
        await().during(Duration.ofMillis(300)).atMost(Duration.ofSeconds(10)).until(() -> ids(2).size() == 8);
        assertThat(ids(2)).contains("dead-4", "dead-5").doesNotContain("dead-3");
    }

    @Test
    void trimWhenThereAreMoreThanTheCapDropsTheLongestDeadOfAllShardsAndSaysSo() {
        makeDead(0, 1_700);
        makeDead(1, 10);
        makeDead(2, 100);

        trimmer.watch(queue(3, new DeadSettings(null, 105)));

        await().atMost(Duration.ofSeconds(5)).until(() -> dead(0) + dead(1) + dead(2) == 105);
        assertThat(List.of(dead(0), dead(1), dead(2))).containsExactly(0L, 5L, 100L);
        await().atMost(Duration.ofSeconds(5)).until(() -> !warnings().isEmpty());
        assertThat(warnings()).hasSize(1);
        assertThat(warnings().get(0))
                .contains(
                        "'orders'",
                        "0 dead tasks because of their age (retention none)",
                        "1705 because of their number (cap 105)",
                        "'s0-");
        assertThat(trimmed).hasValue(1_705);
        for (int shard = 0; shard < 3; shard++) {
            assertThat(redis.brokenInvariant(new Shard("orders", shard))).isEmpty();
        }
    }

    @Test
    void trimWhenSeveralProcessesDoItWhileTasksDieNeverLeavesFewerThanTheCap() {
        int cap = 50;
        List<DeadTrimmer> others =
                IntStream.range(0, 3).mapToObj(i -> trimmer(1 + i)).toList();
        try {
            Random random = new Random(7);
            int died = 0;
            for (; died < cap; died++) {
                redis.putDead(new Shard("orders", random.nextInt(8)), "dead-" + died, 1_000 + died / 3);
            }
            others.forEach(other -> other.watch(queue(8, new DeadSettings(null, cap))));
            for (; died < 3_000; died++) {
                redis.putDead(new Shard("orders", random.nextInt(8)), "dead-" + died, 1_000 + died / 3);
                if (died % 100 == 0) {
                    assertThat(ids(8)).hasSizeGreaterThanOrEqualTo(cap);
                }
            }
            await().atMost(Duration.ofSeconds(10)).until(() -> ids(8).size() == cap);
            await().during(Duration.ofMillis(200))
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> ids(8).size() == cap);
            // of those that died in one millisecond any may be kept
            assertThat(ids(8)).contains("dead-2999", "dead-2955").doesNotContain("dead-2945");
            assertThat(trimmed).hasValue(3_000 - cap);
        } finally {
            others.forEach(DeadTrimmer::close);
        }
    }

    private List<String> ids(int shards) {
        return IntStream.range(0, shards)
                .mapToObj(shard -> redis.dead(new Shard("orders", shard)).keySet())
                .flatMap(Set::stream)
                .toList();
    }

    @Test
    void trimWhenSomeAreTooOldDropsThemAndSaysSo() {
        makeDead(0, 3);

        trimmer.watch(queue(1, new DeadSettings(Duration.ofMillis(300), null)));

        await().atMost(Duration.ofSeconds(5)).until(() -> trimmed.get() == 3);
        await().atMost(Duration.ofSeconds(5)).until(() -> !warnings().isEmpty());
        assertThat(warnings().get(0)).contains("3 dead tasks because of their age (retention PT0.3S)");
    }

    @Test
    void trimWhenAShardFailsDropsTheOldTasksOfTheOthers() {
        makeDead(1, 3);
        redis.damage(new Shard("orders", 0), "dead");

        trimmer.watch(queue(2, new DeadSettings(Duration.ofMillis(300), null)));

        await().atMost(Duration.ofSeconds(5)).until(() -> trimmed.get() == 3);
        await().atMost(Duration.ofSeconds(5))
                .until(() -> warnings().stream().anyMatch(warning -> warning.contains("could not trim dead tasks")));
    }

    @Test
    void watchWhenCancelledOrNothingIsEverDroppedTrimsNothing() {
        trimmer.watch(queue(1, DeadSettings.KEEP_ALL));
        Scheduler.Scheduled watch = trimmer.watch(queue(1, new DeadSettings(null, 1)));
        watch.cancel();
        makeDead(0, 3);

        await().during(Duration.ofMillis(300)).atMost(Duration.ofSeconds(10)).until(() -> dead(0) == 3);
    }
}
