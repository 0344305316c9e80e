// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.EncodedPayload;
import io.delayqueue.TaskContent;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.internal.calls.TaskMigratingException;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.MigrationHold;
import io.delayqueue.internal.store.MigrationPage;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.TaskUpdate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Migrating tasks from shard to shard, and concurrent calls of others. */
abstract class MigrationContract extends RedisStoreContract {

    private static final Shard OTHER = new Shard("orders", 5);
    static final ShardingVersion SHARDING = new ShardingVersion("1:8:3:1:1");
    /** As long as no test runs; tests let it pass by moving the clock. */
    private static final Duration HOLD = Duration.ofMinutes(1);

    MigrationContract(StoreServers servers) {
        super(servers);
    }

    private MigrationHold hold(String... ids) {
        return get(store.migrations().hold(SHARD, SHARDING, List.of(ids), HOLD, 1 << 20));
    }

    private boolean takeIn(MigrationHold held) {
        return get(store.migrations().takeIn(OTHER, SHARDING, held.deadline(), held.token(), held.tasks()));
    }

    private UpdateOutcome update(String id) {
        EncodedPayload payload = new EncodedPayload("application/json", new byte[] {'7'});
        return get(StoreCalls.update(store, SHARD, SHARDING, id, new TaskUpdate(payload, Map.of())));
    }

    private List<Boolean> end(MigrationHold held, boolean migrated) {
        return get(store.migrations()
                .end(
                        SHARD,
                        held.token(),
                        migrated,
                        held.tasks().stream().map(MigrationHold.Item::id).toList()));
    }

    private ShardState other() {
        return kept.state(OTHER);
    }

    /** Creates one task of every kind except leased, and returns the state of the shard. */
    private ShardState seeded() {
        schedule("dead", 1, now - MINUTE);
        settle(Settlement.dead("dead", lease("dead"), true, "r"));
        schedule("failed", 2, now - MINUTE);
        settle(Settlement.retry("failed", lease("failed"), Duration.ofHours(1), true, false, "r"));
        schedule("waiting", 3, now + MINUTE);
        return state();
    }

    @Test
    void migrationWhenAllStepsAreMadeLeavesTasksAsTheyWere() {
        ShardState before = seeded();

        MigrationHold held = hold("dead", "failed", "waiting", "none");
        assertThat(held.lookedAt()).isEqualTo(4);
        assertThat(held.busy()).isZero();
        assertThat(held.tasks()).extracting(MigrationHold.Item::id).containsExactly("dead", "failed", "waiting");
        assertThat(state().brokenInvariant()).isEmpty();
        assertThat(takeIn(held)).isTrue();
        assertThat(takeIn(held)).as("sent again").isTrue();
        assertThat(end(held, true)).containsOnly(true);
        assertThat(end(held, true)).as("sent again").containsOnly(false);

        ShardState migrated = other();
        assertThat(migrated.index()).isEqualTo(before.index());
        assertThat(migrated.dead()).isEqualTo(before.dead());
        assertThat(migrated.tasks()).isEqualTo(before.tasks());
        assertThat(migrated.attempts()).isEqualTo(before.attempts());
        assertThat(migrated.brokenInvariant()).isEmpty();
        assertThat(state().tasks()).isEmpty();
        assertThat(state().index()).isEmpty();
        assertThat(state().dead()).isEmpty();
        assertThat(state().attempts()).isEmpty();
        assertThat(state().holds()).isEmpty();
    }

    @Test
    void takeInWhenTheCopyHereIsDeadAndTheOtherOneWasRedrivenMakesItLive() {
        seeded();
        MigrationHold first = hold("dead");
        assertThat(takeIn(first)).isTrue();
        end(first, false);
        assertThat(get(store.dead().redrive(SHARD, SHARDING, StoreCalls.dueNow(List.of("dead")), null))
                        .verdicts())
                .containsExactly(true);

        MigrationHold second = hold("dead");
        assertThat(takeIn(second)).isTrue();

        assertThat(other().index()).containsOnlyKeys("dead");
        assertThat(other().dead()).isEmpty();
        assertThat(other().brokenInvariant()).isEmpty();
    }

    @Test
    void holdWhenATaskIsLeasedOrHeldLeavesIt() {
        schedule("leased", 1, now - MINUTE);
        lease("leased");
        schedule("held", 2, now + MINUTE);
        hold("held");
        assertThat(hold("leased", "held").busy()).isEqualTo(2);
        assertThat(hold("leased", "held").tasks()).isEmpty();
        assertThat(state().brokenInvariant()).isEmpty();
    }

    @Test
    void holdWhenTasksAreLargeStopsAndSaysWhere() {
        for (int i = 0; i < 5; i++) {
            schedule(task("t" + i, i, at(now + MINUTE), ConflictPolicy.REPLACE, "x".repeat(1000)));
        }
        MigrationHold held =
                get(store.migrations().hold(SHARD, SHARDING, List.of("t0", "t1", "t2", "t3", "t4"), HOLD, 1500));
        assertThat(held.lookedAt()).isEqualTo(2);
        assertThat(held.tasks()).hasSize(2);
    }

    @Test
    void callsWhenATaskIsHeldLeaveItAndSayThatItMoves() {
        seeded();
        hold("dead", "waiting");

        changesNothing(() -> {
            assertThatExceptionOfType(TaskMigratingException.class).isThrownBy(() -> cancel("waiting"));
            assertThatExceptionOfType(TaskMigratingException.class).isThrownBy(() -> reschedule("waiting", at(now)));
            assertThatExceptionOfType(TaskMigratingException.class)
                    .isThrownBy(() -> get(StoreCalls.redrive(store, SHARD, StoreCalls.dueNow(List.of("dead")))));
            assertThatExceptionOfType(TaskMigratingException.class)
                    .isThrownBy(() -> get(StoreCalls.discard(store, SHARD, List.of("dead"))));
            assertThat(schedule("waiting", 9, now).state()).isEqualTo(ScheduleReply.State.MIGRATING);
            assertThat(schedule("dead", 9, now).state()).isEqualTo(ScheduleReply.State.MIGRATING);
            assertThat(get(store.tasks().find(SHARD, "waiting"))).isPresent();
            assertThat(get(store.dead().trim(SHARD, Duration.ZERO, 10)).ids()).isEmpty();
            return null;
        });
        assertThat(get(store.shards().purge(SHARD, 10)).left()).isEqualTo(2);
        assertThat(state().tasks()).containsOnlyKeys("dead", "waiting");
    }

    @Test
    void acquireWhenATaskIsHeldPassesItOverAndComesBackWhenTheHoldEnds() {
        schedule("held", 1, now - MINUTE);
        schedule("free", 2, now - MINUTE);
        MigrationHold held = hold("held");

        assertThat(acquire(10).tasks()).extracting(AcquiredTask::id).containsExactly("free");
        assertThat(cancel("free")).isEqualTo(CancelOutcome.IN_FLIGHT);
        Acquisition acquisition = changesNothing(() -> acquire(10));
        assertThat(acquisition.tasks()).isEmpty();
        assertThat(acquisition.newer()).isEmpty();
        assertThat(millis(acquisition) + acquisition.untilNext().toMillis())
                .isBetween(
                        held.deadline().toEpochMilli() - 1001, held.deadline().toEpochMilli());
    }

    @Test
    void callsWhenTheHoldHasRunOutFindTheTaskAsItWasAndTheMigrationFindsItsHoldGone() {
        Map<String, Runnable> calls = new HashMap<>();
        calls.put("cancelled", () -> assertThat(cancel("cancelled")).isEqualTo(CancelOutcome.CANCELLED));
        calls.put("rescheduled", () -> reschedule("rescheduled", at(now + 2 * MINUTE)));
        calls.put("replaced", () -> schedule("replaced", 9, now + 2 * MINUTE));
        calls.put("updated", () -> assertThat(update("updated")).isEqualTo(UpdateOutcome.UPDATED));
        for (String id : calls.keySet()) {
            schedule(id, 1, now + 5 * MINUTE);
        }
        MigrationHold held = hold("cancelled", "rescheduled", "replaced", "updated");
        moveClock(HOLD.toMillis());

        calls.values().forEach(Runnable::run);

        assertThat(state().holds()).isEmpty();
        assertThat(changesNothing(() -> end(held, true))).containsOnly(false);
        assertThat(state().index()).containsOnlyKeys("rescheduled", "replaced", "updated");
    }

    @Test
    void acquireAndOthersWhenTheHoldHasRunOutDropIt() {
        schedule("due", 1, now - MINUTE);
        MigrationHold due = hold("due");
        moveClock(HOLD.toMillis());
        long token = lease("due");
        assertThat(token).as("holds and leases count together").isGreaterThan(due.token());
        assertThat(end(due, true)).containsExactly(false);

        settle(Settlement.dead("due", token, false, "r"));
        MigrationHold dead = hold("due");
        moveClock(HOLD.toMillis());
        get(StoreCalls.redrive(store, SHARD, StoreCalls.dueNow(List.of("due"))));
        assertThat(end(dead, true)).containsExactly(false);

        MigrationHold purged = hold("due");
        moveClock(HOLD.toMillis());
        get(store.shards().purge(SHARD, 10));
        schedule("due", 3, now);
        assertThat(end(purged, true)).containsExactly(false);
        assertThat(state().tasks()).containsOnlyKeys("due");

        settle(Settlement.dead("due", lease("due"), false, "r"));
        MigrationHold trimmed = hold("due");
        moveClock(HOLD.toMillis());
        assertThat(get(store.dead().trim(SHARD, Duration.ZERO, 10)).ids()).containsExactly("due");
        schedule("due", 4, now);
        assertThat(end(trimmed, true)).containsExactly(false);

        settle(Settlement.dead("due", lease("due"), false, "r"));
        MigrationHold discarded = hold("due");
        moveClock(HOLD.toMillis());
        assertThat(get(StoreCalls.discard(store, SHARD, List.of("due")))).containsExactly(true);
        schedule("due", 5, now);
        assertThat(end(discarded, true)).containsExactly(false);
    }

    @Test
    void endMigrationWhenTheTasksStayLeavesThemAsTheyWere() {
        ShardState before = seeded();
        MigrationHold held = hold("dead", "failed", "waiting");

        assertThat(end(held, false)).containsOnly(true);

        assertThat(state().index()).isEqualTo(before.index());
        assertThat(state().dead()).isEqualTo(before.dead());
        assertThat(state().attempts()).isEqualTo(before.attempts());
        assertThat(state().holds()).isEmpty();
        assertThat(cancel("waiting")).isEqualTo(CancelOutcome.CANCELLED);
    }

    @Test
    void takeInWhenItIsTooLateTakesNothing() {
        schedule("a", 1, now + MINUTE);
        MigrationHold held = hold("a");
        assertThat(get(store.migrations()
                        .takeIn(OTHER, SHARDING, Instant.ofEpochMilli(now - 1), held.token(), held.tasks())))
                .isFalse();
        assertThat(other().tasks()).isEmpty();
    }

    @Test
    void takeInWhenACopyIsThereLeavesItAndAnotherTaskGivesWay() {
        get(StoreCalls.schedule(
                store, OTHER, List.of(task("copy", 1, at(now - MINUTE), ConflictPolicy.REPLACE, "p1"))));
        get(StoreCalls.schedule(
                store, OTHER, List.of(task("other", 2, at(now - MINUTE), ConflictPolicy.REPLACE, "p2"))));
        Acquisition leased = get(store.leases().acquire(OTHER, Acquires.of(10, LEASE, MAX_EXPIRED, 1 << 20, 500)));
        assertThat(leased.tasks()).hasSize(2);
        schedule("copy", 1, now + MINUTE);
        schedule("other", 3, now + MINUTE);

        assertThat(takeIn(hold("copy", "other"))).isTrue();

        assertThat(other().leases()).containsOnlyKeys("copy");
        assertThat(other().index()).containsEntry("other", now + MINUTE);
        assertThat(other().tasks().get("other")).isEqualTo(state().tasks().get("other"));
        assertThat(other().attempts().get("other")).endsWith(":0:0:1:an earlier delivery may still be in progress");
        assertThat(other().brokenInvariant()).isEmpty();
    }

    @Test
    void takeInWhenTheReplyWasLostTellsAfterTheDeadlineThatTheTasksAreThere() {
        schedule("a", 1, now + MINUTE);
        MigrationHold held = hold("a");
        assertThat(takeIn(held)).isTrue();
        moveClock(HOLD.toMillis());

        assertThat(takeIn(held)).isTrue();

        assertThat(end(held, true)).containsExactly(true);
        assertThat(state().tasks()).isEmpty();
        assertThat(other().index()).containsOnlyKeys("a");
    }

    @Test
    void takeInWhenTheCopyIsStillHeldForTheOtherWayEndsThatHold() {
        schedule("a", 1, now + MINUTE);
        MigrationHold there = hold("a");
        takeIn(there);
        moveClock(HOLD.toMillis());
        MigrationHold back = get(store.migrations().hold(OTHER, SHARDING, List.of("a"), HOLD, 1 << 20));

        assertThat(get(store.migrations().takeIn(SHARD, SHARDING, back.deadline(), back.token(), back.tasks())))
                .isTrue();
        get(store.migrations().end(OTHER, back.token(), true, List.of("a")));

        assertThat(end(there, true)).as("a late end of the first migration").containsExactly(false);
        assertThat(state().index()).containsOnlyKeys("a");
        assertThat(other().tasks()).isEmpty();
    }

    @Test
    void scanWhenThereAreManyGivesEachWithItsVersion() {
        List<NewTask> tasks = IntStream.range(0, 400)
                .mapToObj(i -> new NewTask(
                        "t" + i,
                        requestId(i),
                        at(now + MINUTE),
                        ConflictPolicy.REPLACE,
                        new TaskContent(
                                "x/y",
                                Map.of(),
                                "a payload that is too long for a small hash"
                                        .repeat(2)
                                        .getBytes(StandardCharsets.UTF_8)),
                        0))
                .toList();
        get(StoreCalls.schedule(store, SHARD, tasks));
        Map<String, MigrationPage.Entry> found = new HashMap<>();
        String cursor = MigrationPage.START;
        int calls = 0;
        MigrationPage page;
        do {
            page = get(store.migrations().scan(SHARD, SHARDING, cursor, 50));
            page.tasks().forEach(entry -> found.put(entry.id(), entry));
            cursor = page.cursor();
            calls++;
        } while (page.more());

        assertThat(calls).isGreaterThan(2);
        assertThat(found).hasSize(400);
        found.forEach((id, entry) -> assertThat(entry).isEqualTo(new MigrationPage.Entry(id, false)));
    }

    @Test
    void scanWhenANewerVersionWroteATaskSaysSo() {
        redis.raw().hset(key("tasks"), "newer", "\u0002whatever");

        MigrationPage page = get(store.migrations().scan(SHARD, SHARDING, MigrationPage.START, 50));

        assertThat(page.tasks()).containsExactly(new MigrationPage.Entry("newer", true));
    }
}
