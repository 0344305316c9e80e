// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.TaskState;
import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.CollectingDestination;
import io.delayqueue.internal.engine.DeadForwarding;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.engine.EngineHooks;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.DeadTrim;
import io.delayqueue.internal.store.Page;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Position;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.ShardRedrive;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.StoredTask;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Dead tasks: reading, redriving, and deleting them one by one or by age and number. */
abstract class DeadContract extends RedisStoreContract {

    private static final PageRequest FIRST = PageRequest.dead(500);

    /** Added to the time of death of a quarantined task. */
    static final long QUARANTINE = 1_000_000_000_000_000L;

    DeadContract(StoreServers servers) {
        super(servers);
    }

    /** A task due a minute ago that died just now. */
    void dead(String id, boolean uncertain) {
        schedule(id, 1, now - MINUTE);
        Acquisition acquisition = acquire(10);
        assertThat(settle(Settlement.dead(id, acquisition.token(), uncertain, "no: answer")))
                .isTrue();
    }

    /** Dead tasks of the ids {@code d0} to {@code d(n-1)}, each a minute after the one before. */
    private void deadMinuteByMinute(int n) {
        for (int i = 0; i < n; i++) {
            dead("d" + i, false);
            moveClock(MINUTE);
        }
    }

    ShardRedrive redrive(String... ids) {
        return get(StoreCalls.redrive(store, SHARD, StoreCalls.dueNow(List.of(ids))));
    }

    List<String> pages(int limit) {
        List<String> ids = new ArrayList<>();
        Position after = Position.from(Instant.EPOCH);
        while (after != null) {
            Page page = get(store.shards().page(SHARD, PageRequest.dead(limit).after(after)));
            assertThat(page.tasks()).hasSizeLessThanOrEqualTo(limit);
            page.tasks().forEach(task -> ids.add(task.id()));
            after = page.next();
        }
        return ids;
    }

    private static Position position(StoredTask task) {
        return new Position(task.nextAttentionAt(), task.id());
    }

    @Test
    void deadPageWhenNothingIsDeadIsEmpty() {
        schedule("a", 1, now);

        assertThat(changesNothing(() -> get(store.shards().page(SHARD, FIRST)))).isEqualTo(new Page(List.of(), null));
    }

    @Test
    void deadPageWhenTasksAreDeadTellsWhenAndWhy() {
        dead("a", true);
        long died = state().dead().get("a");

        Page page = changesNothing(() -> get(store.shards().page(SHARD, FIRST)));

        assertThat(page)
                .isEqualTo(new Page(
                        List.of(new StoredTask(
                                "a",
                                TaskState.DEAD,
                                Instant.ofEpochMilli(now - MINUTE),
                                Instant.ofEpochMilli(died),
                                null,
                                1,
                                0,
                                "no: answer",
                                "",
                                null,
                                null,
                                List.of(),
                                null)),
                        null));
    }

    @Test
    void quarantinedTaskIsDeadLikeOthersAndNoBoundDropsIt() {
        schedule("q", 1, now - MINUTE);
        settle(Settlement.quarantined("q", lease("q"), false, "unreadable"));
        long died = state().dead().get("q") - QUARANTINE;
        moveClock(MINUTE);
        deadMinuteByMinute(2);

        assertThat(get(store.shards().stats(SHARD)))
                .satisfies(stats -> assertThat(stats.dead()).isEqualTo(3))
                .satisfies(stats -> assertThat(stats.quarantined()).isEqualTo(1))
                .satisfies(stats -> assertThat(stats.droppable()).isEqualTo(2));
        StoredTask found = get(store.tasks().find(SHARD, "q")).orElseThrow();
        assertThat(found.state()).isEqualTo(TaskState.DEAD);
        assertThat(found.nextAttentionAt()).isEqualTo(Instant.ofEpochMilli(died));
        assertThat(found.lastReason()).isEqualTo("unreadable");
        for (int limit : new int[] {1, 2, 3, 500}) {
            assertThat(pages(limit)).containsExactly("d0", "d1", "q");
        }
        assertThat(get(store.shards().page(SHARD, PageRequest.droppable(500))))
                .isEqualTo(new Page(
                        get(store.shards().page(SHARD, PageRequest.dead(2))).tasks(), null));

        moveClock(100 * MINUTE);
        DeadTrim trim = get(store.dead().trim(SHARD, Duration.ofMinutes(1), 500));
        assertThat(trim.ids()).containsExactly("d0", "d1");
        assertThat(trim.more()).isFalse();
        assertThat(state().brokenInvariant()).isEmpty();

        assertThat(redrive("q").verdicts()).containsExactly(true);
        assertThat(acquire(1).tasks()).extracting(AcquiredTask::id).containsExactly("q");
    }

    @Test
    void quarantinedTaskIsDiscardedByItsDeath() {
        schedule("q", 1, now - MINUTE);
        settle(Settlement.quarantined("q", lease("q"), false, "unreadable"));
        Page page = get(store.shards().page(SHARD, FIRST));

        assertThat(get(store.dead()
                        .discardDeaths(
                                SHARD,
                                ShardingVersion.NONE,
                                List.of(position(page.tasks().get(0))))))
                .containsExactly(true);

        assertThat(state().dead()).isEmpty();
    }

    @Test
    void deadPageWhenContentIsAskedForStopsAfterTheTaskThatExceedsTheBytes() {
        deadMinuteByMinute(5);

        Page page = get(store.shards().page(SHARD, PageRequest.dead(5).withContent(30)));

        assertThat(page.tasks()).extracting(StoredTask::id).containsExactly("d0", "d1");
        assertThat(page.next()).isEqualTo(position(page.tasks().get(1)));
        assertThat(page.tasks().get(0).content()).usingRecursiveComparison().isEqualTo(content("p1"));
    }

    @Test
    void deadPageWhenTurnedShowsEachTaskOnce() {
        deadMinuteByMinute(7);
        List<String> all = IntStream.range(0, 7).mapToObj(i -> "d" + i).toList();

        for (int limit : new int[] {1, 2, 3, 6, 7, 500}) {
            assertThat(pages(limit)).isEqualTo(all);
        }
    }

    @Test
    void newestPageWhenTurnedShowsEachTaskOnceWithQuarantinedTasksFirst() {
        schedule("q", 1, now - MINUTE);
        settle(Settlement.quarantined("q", lease("q"), false, "unreadable"));
        deadMinuteByMinute(4);

        for (int limit : new int[] {1, 2, 3, 5, 500}) {
            List<String> ids = new ArrayList<>();
            Position after = Position.from(Instant.EPOCH);
            while (after != null) {
                Page page =
                        get(store.shards().page(SHARD, PageRequest.newest(limit).after(after)));
                assertThat(page.tasks()).hasSizeLessThanOrEqualTo(limit);
                page.tasks().forEach(task -> ids.add(task.id()));
                after = page.next();
            }
            assertThat(ids).containsExactly("q", "d3", "d2", "d1", "d0");
        }
        Instant last = Instant.ofEpochMilli(QUARANTINE);
        assertThat(get(store.shards().page(SHARD, PageRequest.newest(5).before(last)))
                        .tasks())
                .extracting(StoredTask::id)
                .containsExactly("q");
    }

    /** Some died in one millisecond. A place that is gone is between the ids beside it. */
    @Test
    void newestPageWhenTasksOfThePageBeforeAreGoneLeavesNoneOut() {
        List<String> ids = List.of("a", "b", "c", "d");
        ids.forEach(id -> schedule(id, 1, now - MINUTE));
        Acquisition acquisition = acquire(10);
        get(store.leases()
                .settle(
                        SHARD,
                        ids.stream()
                                .map(id -> Settlement.dead(id, acquisition.token(), false, "no"))
                                .toList()));
        long died = state().dead().get("a");
        assertThat(state().dead().values()).containsOnly(died);
        Page first = get(store.shards().page(SHARD, PageRequest.newest(2)));
        assertThat(first.tasks()).extracting(StoredTask::id).containsExactly("d", "c");
        get(StoreCalls.discard(store, SHARD, List.of("c")));

        PageRequest next = PageRequest.newest(5).after(first.next());
        assertThat(get(store.shards().page(SHARD, next)).tasks())
                .extracting(StoredTask::id)
                .containsExactly("b", "a");
        PageRequest earlier = PageRequest.newest(5).after(Position.from(Instant.ofEpochMilli(died)));
        assertThat(get(store.shards().page(SHARD, earlier)).tasks()).isEmpty();
    }

    @Test
    void deadPageWhenTasksOfThePageBeforeAreGoneLeavesNoneOut() {
        deadMinuteByMinute(6);
        Page first = get(store.shards().page(SHARD, PageRequest.dead(3)));
        PageRequest next = PageRequest.dead(3).after(first.next());
        get(StoreCalls.discard(store, SHARD, List.of("d1", "d2")));

        assertThat(get(store.shards().page(SHARD, next)).tasks())
                .extracting(StoredTask::id)
                .containsExactly("d3", "d4", "d5");

        redrive("d0");
        lease("d0");
        dead("d2", false);
        assertThat(get(store.shards().page(SHARD, next)).tasks())
                .as("d2 died again, later")
                .extracting(StoredTask::id)
                .containsExactly("d3", "d4", "d5");
    }

    @Test
    void redriveWhenDeadIsDueAtOnceAndCountsItsAttemptsAnew() {
        dead("a", false);
        moveClock(MINUTE);
        long before = state().serverMillis() + clockOffset.get();

        ShardRedrive redriven = redrive("a");

        ShardState after = state();
        long due = after.index().get("a");
        assertThat(due).isBetween(before, after.serverMillis() + clockOffset.get());
        assertThat(redriven.verdicts()).containsExactly(true);
        assertThat(redriven.lastDueAt()).isEqualTo(Instant.ofEpochMilli(due));
        assertThat(after)
                .isEqualTo(new ShardState(
                        0,
                        Map.of("a", due),
                        Map.of("a", envelope('C', 1, "p1")),
                        Map.of(),
                        Map.of("a", "1:" + due + ":0:0:0:"),
                        Map.of(),
                        lastToken));
        Acquisition again = acquire(1);
        assertThat(again.tasks().get(0).attempt()).isEqualTo(1);
        assertThat(again.tasks().get(0).dueAt()).isEqualTo(Instant.ofEpochMilli(due));
    }

    @Test
    void redriveWhenADeliveryMayStillBeUnderWayRemembersThatForACancel() {
        dead("a", true);

        redrive("a");

        long due = state().index().get("a");
        assertThat(state().attempts())
                .containsExactly(Map.entry("a", "1:" + due + ":0:0:1:an earlier delivery may still be in progress"));
        assertThat(cancel("a")).isEqualTo(CancelOutcome.IN_FLIGHT);
    }

    @Test
    void redriveWhenNotDeadChangesNothing() {
        schedule("waiting", 1, now + MINUTE);

        ShardRedrive nothing = changesNothing(() -> redrive("waiting", "absent"));

        assertThat(nothing.verdicts()).containsExactly(false, false);
        assertThat(nothing.lastDueAt()).isNull();
        dead("a", false);
        redrive("a");
        assertThat(changesNothing(() -> redrive("a")).verdicts()).containsExactly(false);
    }

    @Test
    void redriveWhenDueTimesAreGivenTakesThem() {
        dead("a", false);
        dead("b", false);
        dead("c", false);
        Instant far = Instant.ofEpochMilli(now + 3 * MINUTE);
        Map<String, Due> due = new LinkedHashMap<>();
        due.put("b", Due.at(far));
        due.put("absent", at(now + 9 * MINUTE));
        due.put("a", at(now + 2 * MINUTE));
        due.put("c", Due.after(Duration.ofMillis(MINUTE)));

        ShardRedrive redriven = get(StoreCalls.redrive(store, SHARD, due));

        assertThat(redriven).isEqualTo(new ShardRedrive(List.of(true, false, true, true), far));
        assertThat(state().index()).containsEntry("a", now + 2 * MINUTE).containsEntry("b", far.toEpochMilli());
        assertThat(state().index().get("c"))
                .isBetween(now + MINUTE, state().serverMillis() + clockOffset.get() + MINUTE + 1);
        assertThat(state().brokenInvariant()).isEmpty();
    }

    @Test
    void discardWhenDeadLeavesNoTraceAndOtherwiseChangesNothing() {
        dead("a", true);
        dead("b", true);
        schedule("leased", 1, now - MINUTE);
        lease("leased");
        schedule("waiting", 1, now + MINUTE);
        ShardState before = state();

        assertThat(changesNothing(() -> get(StoreCalls.discard(store, SHARD, List.of("waiting", "leased", "absent")))))
                .containsExactly(false, false, false);
        assertThat(get(StoreCalls.discard(store, SHARD, List.of("absent", "a"))))
                .containsExactly(false, true);

        ShardState after = state();
        assertThat(after.dead()).containsOnlyKeys("b");
        assertThat(after.tasks()).containsOnlyKeys("b", "leased", "waiting");
        assertThat(after.attempts()).containsOnlyKeys("b");
        assertThat(after.index()).isEqualTo(before.index());
        assertThat(after.leases()).isEqualTo(before.leases());
        assertThat(changesNothing(() -> get(StoreCalls.discard(store, SHARD, List.of("a")))))
                .containsExactly(false);
    }

    @Test
    void discardDeathsWhenATaskHasDiedAnewKeepsIt() {
        dead("again", false);
        dead("once", false);
        List<Position> deaths = get(store.shards().page(SHARD, PageRequest.dead(10))).tasks().stream()
                .map(task -> new Position(task.nextAttentionAt(), task.id()))
                .toList();
        moveClock(MINUTE);
        schedule("again", 9, now - MINUTE);
        assertThat(changesNothing(
                        () -> get(store.dead().discardDeaths(SHARD, ShardingVersion.NONE, deaths.subList(0, 1)))))
                .as("it lives")
                .containsExactly(false);
        dead("again", false);
        List<Position> those = new ArrayList<>(deaths);
        those.add(new Position(Instant.ofEpochMilli(now), "absent"));

        assertThat(get(store.dead().discardDeaths(SHARD, ShardingVersion.NONE, those)))
                .containsExactly(false, true, false);

        assertThat(state().dead()).containsOnlyKeys("again");
        assertThat(state().tasks()).containsOnlyKeys("again");
    }

    @Test
    void trimDeadWhenNothingIsTooOldChangesNothing() {
        deadMinuteByMinute(3);

        for (Duration retention : List.of(Duration.ofMinutes(30), Duration.ofDays(40_000))) {
            assertThat(changesNothing(() -> get(store.dead().trim(SHARD, retention, 500))))
                    .isEqualTo(new DeadTrim(false, List.of()));
        }
    }

    @Test
    void trimDeadWhenSomeAreTooOldDeletesThoseAndSaysWhich() {
        deadMinuteByMinute(4);
        schedule("waiting", 1, now - 100 * MINUTE);

        DeadTrim trim = get(store.dead().trim(SHARD, Duration.ofSeconds(150), 500));

        assertThat(trim).isEqualTo(new DeadTrim(false, List.of("d0", "d1")));
        assertThat(state().tasks()).containsOnlyKeys("d2", "d3", "waiting");
        assertThat(state().attempts()).containsOnlyKeys("d2", "d3");
        assertThat(state().brokenInvariant()).isEmpty();
    }

    @Test
    void trimDeadWhenMoreIsToBeDeletedThanOneCallDoesSaysSo() {
        List<Settlement> burials = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            schedule("d" + i, i, now - MINUTE);
        }
        for (int call = 0; call < 2; call++) {
            Acquisition acquisition = acquire(500);
            burials.clear();
            for (AcquiredTask task : acquisition.tasks()) {
                burials.add(Settlement.dead(task.id(), acquisition.token(), false, "r"));
            }
            get(store.leases().settle(SHARD, burials));
        }

        DeadTrim first = get(store.dead().trim(SHARD, Duration.ZERO, 500));
        DeadTrim second = get(store.dead().trim(SHARD, Duration.ZERO, 500));

        assertThat(first.ids()).hasSize(500);
        assertThat(first.more()).isTrue();
        assertThat(second.ids()).hasSize(200);
        assertThat(second.more()).isFalse();
        assertThat(state().dead()).isEmpty();
        assertThat(state().brokenInvariant()).isEmpty();
    }

    @Test
    void deadPageWhenManyDiedInOneMillisecondShowsEachTaskOnce() {
        for (int i = 0; i < 10; i++) {
            dead("d" + i, false);
            redis.raw().zadd(key("dead"), 1000, "d" + i);
        }

        assertThat(pages(3)).hasSize(10).doesNotHaveDuplicates();
    }

    @Test
    void deadPageWhenARecordIsOfANewerVersionOrMissingStillShowsTheTask() {
        dead("a", false);
        dead("b", false);
        redis.raw().hset(key("attempts"), "a", "2:whatever");
        redis.raw().hdel(key("attempts"), "b");
        redis.raw().hset(key("tasks"), "a", "\u0002whatever");

        Page page = get(store.shards().page(SHARD, PageRequest.dead(5).withContent(1000)));

        assertThat(page.tasks()).extracting(StoredTask::id).containsExactlyInAnyOrder("a", "b");
        assertThat(page.tasks()).allMatch(task -> task.dueAt().equals(task.nextAttentionAt()));
        assertThat(page.tasks().stream()
                        .filter(task -> task.id().equals("a"))
                        .findFirst()
                        .orElseThrow()
                        .content())
                .isNull();
    }

    @Test
    void redriveWhenANewerVersionWroteTheRecordChangesNothing() {
        dead("newer", false);
        redis.raw().hset(key("attempts"), "newer", "2:whatever");

        ShardRedrive nothing = changesNothing(() -> redrive("newer"));

        assertThat(nothing.verdicts()).containsExactly(false);
        assertThat(nothing.lastDueAt()).isNull();
    }

    @Test
    void redriveWhenTheEnvelopeIsGoneMakesTheTaskDeadAgain() {
        dead("a", false);
        redis.raw().hset(key("tasks"), "a", "");

        assertThat(redrive("a").verdicts()).containsExactly(true);

        assertThat(acquire(1).dead()).containsExactly(Map.entry("a", "envelope unreadable"));
    }

    @Test
    void forwardingWhenItsClaimFailsBetweenTwoBatchesHasDiscardedWhatWasAcknowledged() {
        for (String id : List.of("a", "b", "c")) {
            dead(id, false);
        }
        Duration silence = Duration.ofMillis(2);
        CollectingDestination destination = new CollectingDestination(delivery -> {
            switch (delivery.id()) {
                case "a" -> delivery.settle(Outcome.delivered());
                case "b" -> delivery.settle(Outcome.dead("no message"));
                default -> {
                    redis.raw().del("dq:{orders}:forwarder");
                    redis.raw().rpush("dq:{orders}:forwarder", "foreign");
                    await().pollDelay(silence).until(() -> true);
                    delivery.settle(Outcome.released());
                }
            }
        });
        DeadForwarding forwarding = new Engine(
                        store, Shardings.fixed(queue -> Sharding.initial(1)), new Scheduler(), EngineHooks.NONE)
                .deadForwarding(QueueSettingsBuilder.withDefaults("orders"), destination, silence);

        assertThatExceptionOfType(TaskStoreCorruptException.class).isThrownBy(forwarding::run);

        assertThat(destination.ids()).containsExactly("a", "b", "c");
        assertThat(state().dead()).containsOnlyKeys("b", "c");
        assertThat(state().brokenInvariant()).isEmpty();
    }
}
