// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.BadInput;
import io.delayqueue.BadInput.Case;
import io.delayqueue.Due;
import io.delayqueue.LogLines;
import io.delayqueue.admin.QueueStats;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.engine.CollectingDestination;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.Rate;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Records of other programs in a shard, which a running trigger meets between good tasks: good tasks are delivered
 * once, a bad one is dead with a reason or delivered, and none is lost.
 */
class BadRecordsIntegrationTests {

    private static final Shard SHARD = new Shard(TriggerFixture.QUEUE, 0);
    private static final String FIT = "\u0001C0123456789abcdef\u0001\u0000{}";

    private final TriggerFixture fixture = new TriggerFixture();
    private final CollectingDestination destination = CollectingDestination.acknowledging();
    private final LogLines log = new LogLines();
    private TaskStoreAdmin admin;
    private DelayQueueTemplate template;
    private long past;

    @BeforeEach
    void open() {
        fixture.maxIdleInterval = Duration.ofMillis(50);
        admin = fixture.redis.admin(fixture.queues());
        template = fixture.template();
        past = fixture.redis.serverMillis() - 60_000;
    }

    @AfterEach
    void close() {
        fixture.close();
        log.close();
    }

    private static ConditionFactory soon() {
        return await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(10));
    }

    private void good(String id, long due) {
        template.schedule(requestTo(TriggerFixture.QUEUE, id, "x", Instant.ofEpochMilli(due)));
    }

    /** Asserts that good tasks before and after a bad one are delivered, and a later one too. */
    private void assertGoodOnesAreDelivered() {
        good("before", past - 1);
        good("behind", past + 1);
        fixture.start(destination);
        soon().until(() -> destination.ids().containsAll(List.of("before", "behind")));
        good("after", past);
        soon().until(() -> destination.ids().contains("after"));
        soon().untilAsserted(() -> {
            QueueStats stats = admin.stats(TriggerFixture.QUEUE);
            assertThat(stats.ready() + stats.leased()).isZero();
        });
        assertThat(destination.ids()).doesNotHaveDuplicates();
        assertThat(fixture.redis.brokenInvariant(SHARD)).isEmpty();
        log.assertUnforged();
    }

    static List<Case<String>> records() {
        return BadInput.storedRecords().toList();
    }

    @ParameterizedTest
    @MethodSource("records")
    void triggerWhenARecordIsForeignDeliversTheTask(Case<String> bad) {
        for (String part : List.of("leases", "attempts", "holds")) {
            good(part, past);
            fixture.redis.put(SHARD, part, part, bad.input());
        }

        assertGoodOnesAreDelivered();

        assertThat(destination.ids()).contains("leases", "attempts", "holds");
        assertThat(destination.seen()).allMatch(delivery -> delivery.attempt() > 0);
    }

    @Test
    void triggerWhenScoresAreForeignDeliversWhatTheySayIsDue() {
        List<Double> scores = BadInput.storedScores();
        IntStream.range(0, scores.size()).forEach(i -> {
            good("s" + i, past);
            fixture.redis.put(SHARD, "index", "s" + i, scores.get(i));
        });

        assertGoodOnesAreDelivered();

        List<String> due = IntStream.range(0, scores.size())
                .filter(i -> scores.get(i) < past)
                .mapToObj(i -> "s" + i)
                .toList();
        assertThat(destination.ids()).containsAll(due).hasSize(due.size() + 3);
        for (int i = 0; i < scores.size(); i++) {
            assertThat(template.find(TriggerFixture.QUEUE, "s" + i, String.class)
                            .isEmpty())
                    .as("score %s", scores.get(i))
                    .isEqualTo(due.contains("s" + i));
        }
        assertThat(admin.stats(TriggerFixture.QUEUE).delayed()).isEqualTo(scores.size() - due.size());
        assertThat(template.reschedule(TriggerFixture.QUEUE, "s" + (scores.size() - 1), Due.after(Duration.ZERO)))
                .as("mended by a reschedule")
                .isEqualTo(io.delayqueue.RescheduleOutcome.RESCHEDULED);
        soon().until(() -> destination.ids().contains("s" + (scores.size() - 1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "-1", "nan", "inf", "1e300", "9999999999999999999999", "\r\n", ""})
    void triggerWhenThePaceOfCatchingUpIsForeignGoesOn(String value) {
        fixture.limits = new LimitSettings(null, Rate.parse("1000/s"), null, null);
        fixture.redis.makeDead(SHARD, List.of("dead"));
        fixture.redis.put(SHARD, "catchup", value);

        assertGoodOnesAreDelivered();

        assertThat(admin.redrive(TriggerFixture.QUEUE, "dead")).isTrue();
        soon().until(() -> destination.ids().contains("dead"));
    }

    @Test
    void triggerWhenEverythingBadIsInOneShardDeliversTheGoodAndLosesNothing() {
        List<String> dead = new CopyOnWriteArrayList<>();
        BadInput.storedIds().forEach(bad -> {
            fixture.redis.put(SHARD, "tasks", bad.input(), FIT);
            fixture.redis.put(SHARD, "index", bad.input(), past);
            dead.add(bad.input());
        });
        BadInput.storedEnvelopes().forEach(bad -> {
            String id = "envelope-" + dead.size();
            fixture.redis.put(SHARD, "tasks", id, bad.input());
            fixture.redis.put(SHARD, "index", id, past);
            dead.add(id);
        });
        fixture.redis.put(SHARD, "tasks", "newer", "\u0002" + BadInput.MARK);
        fixture.redis.put(SHARD, "index", "newer", past - 10);

        good("before", past - 1);
        good("behind", past + 1);
        fixture.start(destination);
        soon().until(() -> destination.ids().containsAll(List.of("before", "behind")));
        soon().untilAsserted(() -> assertThat(fixture.redis.dead(SHARD)).containsOnlyKeys(dead.toArray(String[]::new)));

        soon().untilAsserted(() -> assertThat(fixture.redis.index(SHARD)).containsOnlyKeys("newer"));
        assertThat(fixture.redis.brokenInvariant(SHARD)).isEmpty();
        log.assertUnforged();
    }

    @ParameterizedTest
    @ValueSource(strings = {"leases", "attempts", "dead", "token", "holds", "paused", "catchup"})
    void triggerWhenAKeyHasAnotherTypeDeliversFromOtherShardsAndFromThisWhenItIsMended(String part) {
        fixture.shards = 2;
        fixture.limits = new LimitSettings(null, Rate.parse("1000/s"), null, null);
        template = fixture.template();
        String here = id(0);
        String there = id(1);
        good(here, past);
        good(there, past);
        fixture.redis.damage(SHARD, part);

        fixture.start(destination);
        soon().until(() -> destination.ids().contains(there));
        if (!part.equals("paused")) {
            soon().until(() -> log.all().stream().anyMatch(line -> line.contains("an unexpected type")));
        }
        assertThat(destination.ids()).doesNotContain(here);
        fixture.redis.remove(SHARD, part);

        soon().until(() -> destination.ids().contains(here));
        assertThat(destination.ids()).hasSize(2);
        log.assertUnforged();
    }

    private static String id(int shard) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "t" + i)
                .filter(id -> Sharding.initial(2).homeOf(id) == shard)
                .findFirst()
                .orElseThrow();
    }
}
