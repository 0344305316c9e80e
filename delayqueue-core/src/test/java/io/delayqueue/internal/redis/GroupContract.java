// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskState;
import io.delayqueue.internal.calls.TaskMigratingException;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.GroupChange;
import io.delayqueue.internal.store.GroupPosition;
import io.delayqueue.internal.store.MigrationHold;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardGroupChange;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.StoredTask;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tasks that are found by their group: which ids a group has, whatever becomes of the tasks, and what is done to all of
 * them.
 */
abstract class GroupContract extends RedisStoreContract {

    /** Ids of 35 characters, 22 of which are like generated ids. */
    private static final int TASKS = 20_000;

    private static final int MOST_BYTES = 165;

    private int request;

    GroupContract(StoreServers servers) {
        super(servers);
    }

    @AfterEach
    void groupsAreThoseOfTheTasks() {
        assertThat(state().brokenInvariant()).isEmpty();
    }

    private static String id(String group, String id) {
        return TaskIds.inGroup(group, id);
    }

    private String put(String group, String id, long due) {
        String whole = id(group, id);
        schedule(whole, ++request, due);
        return whole;
    }

    private void putAll(List<String> ids, long due) {
        for (int from = 0; from < ids.size(); from += 500) {
            List<NewTask> batch = ids.subList(from, Math.min(ids.size(), from + 500)).stream()
                    .map(id -> task(id, ++request, at(due), ConflictPolicy.REPLACE, "p"))
                    .toList();
            get(StoreCalls.schedule(store, SHARD, batch));
        }
    }

    /** All tasks of the group, in the order of their ids; they are plain ASCII here. */
    private List<StoredTask> tasks(String group) {
        TreeMap<String, StoredTask> all = new TreeMap<>();
        String from = "";
        boolean isLast;
        do {
            List<StoredTask> page = get(store.groups()
                    .page(SHARD, ShardingVersion.NONE, new GroupPosition(TaskIds.groupPrefix(null, group), from, 20)));
            TreeMap<String, StoredTask> found = new TreeMap<>();
            page.forEach(task -> found.put(task.id(), task));
            isLast = found.size() <= 20;
            List<String> ids = List.copyOf(found.keySet());
            from = isLast ? "" : ids.get(20);
            all.putAll(isLast ? found : found.headMap(from));
        } while (!isLast);
        assertThat(get(store.groups().count(SHARD, ShardingVersion.NONE, TaskIds.groupPrefix(null, group))))
                .isEqualTo(all.values().stream()
                        .filter(task -> task.state() != TaskState.DEAD)
                        .count());
        return List.copyOf(all.values());
    }

    private List<String> ids(String group) {
        return tasks(group).stream().map(StoredTask::id).toList();
    }

    private ShardGroupChange change(String group, GroupChange change) {
        return get(StoreCalls.change(
                store,
                SHARD,
                ShardingVersion.NONE,
                new GroupPosition(TaskIds.groupPrefix(null, group), "", 500),
                change));
    }

    private long due(String id) {
        return get(store.tasks().find(SHARD, ShardingVersion.NONE, id))
                .orElseThrow()
                .dueAt()
                .toEpochMilli();
    }

    @Test
    void pageWhenOthersAreThereHasTheTasksOfTheGroupAlone() {
        put("g", "b", now + MINUTE);
        put("g", "a", now + 2 * MINUTE);
        put("g2", "a", now + MINUTE);
        put("f", "z", now + MINUTE);
        schedule("{g}a", 51, now + MINUTE);
        schedule("g", 52, now + MINUTE);

        assertThat(ids("g")).containsExactly("{g}~a", "{g}~b");
        StoredTask first = tasks("g").get(0);
        assertThat(first.state()).isEqualTo(TaskState.SCHEDULED);
        assertThat(first.dueAt()).isEqualTo(Instant.ofEpochMilli(now + 2 * MINUTE));
        assertThat(first.nextAttentionAt()).isEqualTo(first.dueAt());
        assertThat(first.failures()).isZero();
        assertThat(first.lastReason()).isNull();
        assertThat(first.content()).isNull();
        assertThat(ids("g2")).containsExactly("{g2}~a");
        assertThat(ids("none")).isEmpty();
    }

    @Test
    void pageWhenTasksEndHasThoseThatAreLeft() {
        List<String> ids = IntStream.range(0, 8)
                .mapToObj(i -> put("g", "t" + i, now - (9 - i) * MINUTE))
                .toList();
        long token = acquire(5).token();
        settle(Settlement.ack(ids.get(0), token));
        settle(Settlement.again(ids.get(1), token, Due.after(Duration.ofMinutes(3))));
        settle(Settlement.retry(ids.get(2), token, Duration.ofMinutes(3), true, false, "failed"));
        settle(Settlement.dead(ids.get(3), token, false, "hopeless"));
        cancel(ids.get(5));
        schedule(ids.get(6), 61, now + MINUTE);

        assertThat(ids("g"))
                .containsExactlyElementsOf(
                        List.of(ids.get(1), ids.get(2), ids.get(3), ids.get(4), ids.get(6), ids.get(7)));
        assertThat(tasks("g"))
                .extracting(StoredTask::state)
                .containsExactly(
                        TaskState.SCHEDULED,
                        TaskState.SCHEDULED,
                        TaskState.DEAD,
                        TaskState.LEASED,
                        TaskState.SCHEDULED,
                        TaskState.SCHEDULED);
        assertThat(tasks("g")).extracting(StoredTask::failures).containsExactly(0, 1, 1, 0, 0, 0);
        assertThat(tasks("g"))
                .extracting(StoredTask::lastReason)
                .containsExactly(null, "failed", "hopeless", null, null, null);
    }

    @Test
    void pageWhenDeadTasksAreRedrivenDiscardedOrTrimmedHasThoseThatAreLeft() {
        List<String> ids = IntStream.range(0, 4)
                .mapToObj(i -> put("g", "t" + i, now - (9 - i) * MINUTE))
                .toList();
        long token = acquire(5).token();
        ids.forEach(id -> settle(Settlement.dead(id, token, false, "hopeless")));
        get(StoreCalls.redrive(store, SHARD, StoreCalls.dueNow(ids.subList(0, 1))));
        get(StoreCalls.discard(store, SHARD, ids.subList(1, 2)));
        assertThat(ids("g")).containsExactly(ids.get(0), ids.get(2), ids.get(3));

        moveClock(60 * MINUTE);
        get(store.dead().trim(SHARD, Duration.ofMinutes(30), 500));

        assertThat(ids("g")).containsExactly(ids.get(0));
        assertThat(due(ids.get(0))).isBetween(now - 61 * MINUTE, now - 59 * MINUTE);
    }

    @Test
    void pageWhenATaskThatMayNotDieIsDroppedDoesNotHaveIt() {
        String id = put("g", "a", now - MINUTE);
        AcquireRequest dropping = Acquires.of(10, LEASE, 0, 1 << 20, 500, 0, false);
        get(store.leases().acquire(SHARD, dropping));
        moveClock(10 * MINUTE);

        assertThat(get(store.leases().acquire(SHARD, dropping)).dead()).containsKey(id);

        assertThat(ids("g")).isEmpty();
    }

    @Test
    void pageWhenThousandsComeAndGoHasExactlyThoseThatAreThere() {
        Random random = new Random(7);
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            all.add(id("g" + random.nextInt(5), Integer.toString(random.nextInt(1 << 20), 36) + i));
        }
        putAll(all, now + MINUTE);
        assertThat(state().brokenInvariant()).isEmpty();
        Collections.shuffle(all, random);
        List<String> gone = all.subList(0, 1_900);
        for (String id : gone.subList(0, 300)) {
            cancel(id);
        }
        assertThat(state().brokenInvariant()).isEmpty();
        Shard other = new Shard("orders", 1);
        for (int from = 300; from < gone.size(); from += 100) {
            List<String> some = gone.subList(from, from + 100);
            MigrationHold hold =
                    get(store.migrations().hold(SHARD, ShardingVersion.NONE, some, Duration.ofMinutes(1), 1 << 24));
            get(store.migrations().takeIn(other, ShardingVersion.NONE, hold.deadline(), hold.token(), hold.tasks()));
            get(store.migrations().end(SHARD, hold.token(), true, some));
        }

        assertThat(state().brokenInvariant()).isEmpty();
        assertThat(kept.state(other).brokenInvariant()).isEmpty();
        assertThat(kept.state(other).tasks()).hasSize(1_600);
        TreeSet<String> left = new TreeSet<>(all.subList(1_900, 2_000));
        for (int group = 0; group < 5; group++) {
            String prefix = TaskIds.groupPrefix(null, "g" + group);
            assertThat(ids("g" + group))
                    .containsExactlyElementsOf(
                            left.stream().filter(id -> id.startsWith(prefix)).toList());
        }
    }

    @Test
    void pageWhenTasksComeInTheOrderOfTheirIdsHasAll() {
        List<String> all = IntStream.range(0, 1_200)
                .mapToObj(i -> id("g", "t%05d".formatted(i)))
                .toList();

        putAll(all, now + MINUTE);

        assertThat(state().brokenInvariant()).isEmpty();
        assertThat(ids("g")).containsExactlyElementsOf(all);
    }

    @Test
    void pageWhenLongIdsBeginAlikeHasAll() {
        List<String> ids = new ArrayList<>();
        for (int shared = 1; shared <= 40; shared++) {
            for (String end : List.of("", "~", "!", "b~1", "b~10")) {
                ids.add(id("g", "x".repeat(shared) + end));
            }
        }
        for (int i = 0; i < 100; i++) {
            ids.add(id("g", "x".repeat(300) + (i % 2 == 0 ? "" : "y") + i));
        }
        Collections.shuffle(ids, new Random(7));

        putAll(ids, now + MINUTE);

        assertThat(ids("g")).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(state().brokenInvariant()).isEmpty();
        putAll(ids, now + 2 * MINUTE);
        assertThat(ids("g")).hasSameSizeAs(ids);
        assertThat(change("g", GroupChange.cancel()).changed()).isEqualTo(ids.size());
        assertThat(state().groups()).isEmpty();
    }

    @Test
    void pageWhenNeighboursComeAndGoTogetherHasExactlyThoseThatAreThere() {
        Random random = new Random(11);
        Shard other = new Shard("orders", 1);
        for (int round = 0; round < 120; round++) {
            String group = "g" + random.nextInt(4);
            int from = random.nextInt(200);
            List<String> run = IntStream.range(from, from + 1 + random.nextInt(70))
                    .mapToObj(i -> id(group, "t%03d".formatted(i)))
                    .toList();
            int what = random.nextInt(4);
            if (what < 2) {
                putAll(run, now + MINUTE);
            } else if (what == 2) {
                MigrationHold hold =
                        get(store.migrations().hold(SHARD, ShardingVersion.NONE, run, Duration.ofMinutes(1), 1 << 24));
                List<String> held =
                        hold.tasks().stream().map(MigrationHold.Item::id).toList();
                if (!held.isEmpty()) {
                    get(store.migrations()
                            .takeIn(other, ShardingVersion.NONE, hold.deadline(), hold.token(), hold.tasks()));
                    get(store.migrations().end(SHARD, hold.token(), true, held));
                }
            } else if (random.nextInt(3) == 0) {
                change(group, GroupChange.cancel());
            } else {
                run.forEach(this::cancel);
            }
            assertThat(state().brokenInvariant()).as("round %d", round).isEmpty();
            assertThat(kept.state(other).brokenInvariant())
                    .as("round %d", round)
                    .isEmpty();
        }
    }

    @Test
    void cancelWhenAGroupHasTasksInAllStatesDeletesThemAndSaysWhichAreInFlightOrDead() {
        put("g", "waiting", now + MINUTE);
        String leased = put("g", "leased", now - 3 * MINUTE);
        long token = lease(leased);
        String retried = put("g", "retried", now - 2 * MINUTE);
        settle(Settlement.retry(retried, lease(retried), Duration.ofMinutes(9), true, false, "failed"));
        String unsure = put("g", "unsure", now - 2 * MINUTE);
        settle(Settlement.retry(unsure, lease(unsure), Duration.ofMinutes(9), true, true, "no confirm"));
        String dead = put("g", "dead", now - MINUTE);
        settle(Settlement.dead(dead, lease(dead), false, "hopeless"));
        String other = put("h", "waiting", now + MINUTE);

        ShardGroupChange done = change("g", GroupChange.cancel());

        assertThat(done.changed()).isEqualTo(2);
        assertThat(done.begun()).containsExactlyInAnyOrder(leased, unsure);
        assertThat(done.next()).isEmpty();
        assertThat(done.discarded()).isEqualTo(1);
        assertThat(ids("g")).isEmpty();
        assertThat(state().tasks()).containsOnlyKeys(other);
        assertThat(state().attempts()).isEmpty();
        assertThat(ids("h")).containsExactly(other);
        assertThat(settle(Settlement.ack(leased, token))).isFalse();
        assertThat(changesNothing(() -> change("g", GroupChange.cancel())))
                .isEqualTo(new ShardGroupChange("", 0, List.of(), 0));
    }

    @Test
    void shiftWhenAGroupHasTasksInAllStatesMovesThoseThatWait() {
        String retried = put("g", "retried", now - 50 * MINUTE);
        settle(Settlement.retry(retried, lease(retried), Duration.ofMinutes(20), true, false, "failed"));
        String leased = put("g", "leased", now - 40 * MINUTE);
        lease(leased);
        String overdue = put("g", "overdue", now - 30 * MINUTE);
        String waiting = put("g", "waiting", now + MINUTE);
        long next = state().index().get(retried);

        ShardGroupChange done = change("g", GroupChange.shift(Duration.ofMinutes(10), "s1"));

        assertThat(done).isEqualTo(new ShardGroupChange("", 3, List.of(leased), 0));
        assertThat(due(waiting)).isEqualTo(now + 11 * MINUTE);
        assertThat(due(overdue)).isEqualTo(now - 20 * MINUTE);
        assertThat(due(leased)).isEqualTo(now - 40 * MINUTE);
        assertThat(due(retried)).isEqualTo(now - 40 * MINUTE);
        assertThat(state().index().get(retried)).isEqualTo(next + 10 * MINUTE);
    }

    @Test
    void shiftWhenTheSameStepComesAgainAnswersAsBeforeAndMovesNothing() {
        String id = put("g", "a", now + MINUTE);
        GroupChange shift = GroupChange.shift(Duration.ofMinutes(10), "s1");
        ShardGroupChange done = change("g", shift);

        assertThat(changesNothing(() -> change("g", shift))).isEqualTo(done);
        assertThat(due(id)).isEqualTo(now + 11 * MINUTE);

        change("g", GroupChange.shift(Duration.ofMinutes(-20), "s2"));
        assertThat(due(id)).isEqualTo(now - 9 * MINUTE);
        lease(id);
    }

    @Test
    void dueWhenATaskWaitsForADeliveryOfItsIdHasItWaitOn() {
        String id = id("g", "a");
        get(StoreCalls.schedule(
                store,
                SHARD,
                List.of(new NewTask(id, requestId(1), at(now - MINUTE), ConflictPolicy.REPLACE, content("p1"), 0))));
        long token = lease(id);
        get(StoreCalls.schedule(
                store,
                SHARD,
                List.of(new NewTask(id, requestId(2), at(now + MINUTE), ConflictPolicy.REPLACE, content("p2"), 0))));

        ShardGroupChange done = change("g", GroupChange.due(at(now + 7 * MINUTE)));

        assertThat(done).isEqualTo(new ShardGroupChange("", 0, List.of(id), 0));
        assertThat(settle(Settlement.ack(id, token))).isFalse();
        assertThat(state().index()).containsEntry(id, now + 7 * MINUTE);
        assertThat(due(id)).isEqualTo(now + 7 * MINUTE);
    }

    @Test
    void dueWhenGivenADelayCountsItFromTheCall() {
        String id = put("g", "a", now + 50 * MINUTE);

        change("g", GroupChange.due(Due.after(Duration.ofMinutes(2))));

        assertThat(due(id)).isBetween(now + 2 * MINUTE, now + 2 * MINUTE + MINUTE / 2);
    }

    @Test
    void changeWhenAGroupIsLargeGoesOnInStepsAndReachesEachTaskOnce() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 1_300; i++) {
            all.add(id("g", "t" + (i * 7_919 % 1_300)));
        }
        putAll(all, now + MINUTE);
        String before = put("f", "z", now + MINUTE);
        String behind = put("h", "a", now + MINUTE);

        long changed = 0;
        int steps = 0;
        GroupPosition position = new GroupPosition("{g}~", "", 500);
        do {
            ShardGroupChange done = get(StoreCalls.change(
                    store,
                    SHARD,
                    ShardingVersion.NONE,
                    position,
                    GroupChange.shift(Duration.ofMinutes(5), "s" + steps)));
            assertThat(done.changed()).isLessThanOrEqualTo(500);
            changed += done.changed();
            position = position.at(done.next());
            cancel(all.get(steps++));
        } while (!position.from().isEmpty());

        assertThat(changed).isBetween(1_300L - steps, 1_300L);
        assertThat(steps).isBetween(3, 4);
        assertThat(tasks("g"))
                .hasSize(1_300 - steps)
                .allMatch(task -> task.dueAt().toEpochMilli() == now + 6 * MINUTE);
        assertThat(due(before)).isEqualTo(now + MINUTE);
        assertThat(due(behind)).isEqualTo(now + MINUTE);
    }

    @Test
    void cancelWhenAGroupHasMoreTasksThanAStepGoesOnBehindTheLiveOnesWithTheDead() {
        for (String name : List.of("d1", "d2", "d3", "d4")) {
            String dead = put("g", name, now - MINUTE);
            settle(Settlement.dead(dead, lease(dead), false, "hopeless"));
        }
        put("g", "live1", now + MINUTE);
        put("g", "live2", now + MINUTE);
        put("g", "live3", now + MINUTE);
        String other = put("h", "d1", now - MINUTE);
        settle(Settlement.dead(other, lease(other), false, "hopeless"));

        List<ShardGroupChange> steps = new ArrayList<>();
        GroupPosition position = new GroupPosition("{g}~", "", 2);
        do {
            steps.add(get(StoreCalls.change(store, SHARD, ShardingVersion.NONE, position, GroupChange.cancel())));
            position = position.at(steps.get(steps.size() - 1).next());
        } while (!position.from().isEmpty());

        assertThat(steps).extracting(ShardGroupChange::changed).containsExactly(2L, 1L, 0L, 0L);
        assertThat(steps).extracting(ShardGroupChange::discarded).containsExactly(0L, 1L, 2L, 1L);
        assertThat(state().tasks()).containsOnlyKeys(other);
        assertThat(state().dead()).containsOnlyKeys(other);
        assertThat(state().brokenInvariant()).isEmpty();
    }

    @Test
    void changeWhenADeadTaskIsHeldForAMigrationRefusesOnlyTheCancel() {
        String dead = put("g", "a", now - MINUTE);
        settle(Settlement.dead(dead, lease(dead), false, "hopeless"));
        get(store.migrations().hold(SHARD, ShardingVersion.NONE, List.of(dead), Duration.ofMinutes(1), 1 << 20));

        assertThatExceptionOfType(TaskMigratingException.class)
                .isThrownBy(() -> changesNothing(() -> change("g", GroupChange.cancel())));
        assertThatExceptionOfType(TaskMigratingException.class).isThrownBy(() -> changesNothing(() -> cancel(dead)));
        assertThat(change("g", GroupChange.shift(Duration.ofMinutes(1), "s1")).changed())
                .isZero();

        moveClock(2 * MINUTE);
        assertThat(cancel(dead)).isEqualTo(CancelOutcome.DISCARDED_DEAD);
        assertThat(state().holds()).isEmpty();
        assertThat(state().groups()).isEmpty();
    }

    @Test
    void changeWhenATaskIsHeldForAMigrationIsRefused() {
        String id = put("g", "a", now + MINUTE);
        put("g", "b", now + MINUTE);
        get(store.migrations().hold(SHARD, ShardingVersion.NONE, List.of(id), Duration.ofMinutes(1), 1 << 20));

        assertThatExceptionOfType(TaskMigratingException.class)
                .isThrownBy(() -> changesNothing(() -> change("g", GroupChange.cancel())));

        moveClock(2 * MINUTE);
        assertThat(change("g", GroupChange.cancel()).changed()).isEqualTo(2);
        assertThat(state().holds()).isEmpty();
    }

    @Test
    void migrateWhenATaskIsGivenBackOrTakenInLeavesItInItsGroupOnce() {
        String back = put("g", "a", now + MINUTE);
        String moved = put("g", "b", now + MINUTE);
        Shard other = new Shard("orders", 1);
        MigrationHold hold = get(store.migrations()
                .hold(SHARD, ShardingVersion.NONE, List.of(back, moved), Duration.ofMinutes(1), 1 << 20));
        get(store.migrations().takeIn(other, ShardingVersion.NONE, hold.deadline(), hold.token(), hold.tasks()));
        get(store.migrations().takeIn(other, ShardingVersion.NONE, hold.deadline(), hold.token(), hold.tasks()));

        get(store.migrations().end(SHARD, hold.token(), false, List.of(back)));
        get(store.migrations().end(SHARD, hold.token(), true, List.of(moved)));

        assertThat(ids("g")).containsExactly(back);
        assertThat(kept.state(other).brokenInvariant()).isEmpty();
        get(store.shards().purge(other, 500));
        assertThat(kept.state(other).groups()).isEmpty();
    }

    @Test
    void purgeWhenTasksHaveGroupsLeavesNothing() {
        put("g", "a", now + MINUTE);
        put("g", "b", now + 30 * MINUTE);
        get(store.shards().purge(SHARD, 500));

        assertThat(ids("g")).isEmpty();
        assertThat(state().groups()).isEmpty();
    }

    private long usedMemory() {
        return Long.parseLong(redis.node()
                .info("memory")
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .findFirst()
                .orElseThrow()
                .substring("used_memory:".length())
                .trim());
    }

    private long memoryOf(List<String> ids) {
        kept.clear();
        for (int i = 0; i < 500; i++) {
            schedule("warm" + i, i, now + MINUTE);
        }
        long before = usedMemory();
        for (int from = 0; from < ids.size(); from += 500) {
            List<NewTask> batch = ids.subList(from, from + 500).stream()
                    .map(id -> task(id, 1, at(now + MINUTE), ConflictPolicy.REPLACE, "p"))
                    .toList();
            get(StoreCalls.schedule(store, SHARD, batch));
        }
        return usedMemory() - before;
    }

    @Test
    void scheduleWhenTasksHaveAGroupTakesFewBytesMoreForEach() {
        List<String> grouped = ids('~');
        List<String> others = ids('-');

        // Beside the tasks Redis has what comes and goes, with Redis 8 up to 30 bytes for each of them.
        long leastGrouped = Long.MAX_VALUE;
        long leastOthers = Long.MAX_VALUE;
        long perTask = Long.MAX_VALUE;
        for (int round = 1; round <= 5 && perTask > MOST_BYTES; round++) {
            leastGrouped = Math.min(leastGrouped, memoryOf(grouped));
            leastOthers = Math.min(leastOthers, memoryOf(others));
            perTask = (leastGrouped - leastOthers) / TASKS;
        }

        assertThat(perTask).isBetween(80L, (long) MOST_BYTES);
        kept.clear();
    }

    /** An eviction policy such as volatile-lru takes keys that expire. */
    @Test
    void shiftWhenStepsAreRememberedHasNoKeyThatExpires() {
        schedule("{g}~a", 1, now + MINUTE);

        shift("s1");

        assertThat(redis.raw().keys("dq:*"))
                .allSatisfy(key -> assertThat(redis.raw().pttl(key)).as(key).isNegative());
    }

    @Test
    void shiftWhenStepsAreTooOldForgetsThem() {
        schedule("{g}~a", 1, now + MINUTE);
        for (int i = 0; i < 30; i++) {
            shift("old" + i);
        }
        moveClock(11 * MINUTE);

        shift("new");

        assertThat(redis.raw().hkeys(ShardState.key(SHARD, "shift"))).containsExactly("new");
    }

    private void shift(String step) {
        get(StoreCalls.change(
                store,
                SHARD,
                ShardingVersion.NONE,
                new GroupPosition("{g}~", "", 10),
                GroupChange.shift(Duration.ofMinutes(1), step)));
    }

    /** Groups of four tasks, in no order. */
    private static List<String> ids(char behindTheKey) {
        Random random = new Random(5);
        List<String> ids = new ArrayList<>(TASKS);
        for (int i = 0; i < TASKS; i++) {
            byte[] bytes = ByteBuffer.allocate(16)
                    .putLong(random.nextLong())
                    .putLong(random.nextLong())
                    .array();
            ids.add("{order:" + i / 4 + "}" + behindTheKey
                    + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
        }
        Collections.shuffle(ids, random);
        return ids;
    }

    @Test
    void changeWhenTheGroupNamesATaskThatIsNotThereTakesItOut() {
        redis.raw().zadd("dq:{orders:0}:groups", 0, "{g}~gone");
        redis.raw().zadd("dq:{orders:0}:groups", 0, "D{g}~here");
        schedule("{g}~here", 1, now + MINUTE);

        ShardGroupChange done = get(StoreCalls.change(
                store, SHARD, ShardingVersion.NONE, new GroupPosition("{g}~", "", 20), GroupChange.cancel()));

        assertThat(done).isEqualTo(new ShardGroupChange("", 1, List.of(), 0));
        assertThat(state().groups()).isEmpty();
    }
}
