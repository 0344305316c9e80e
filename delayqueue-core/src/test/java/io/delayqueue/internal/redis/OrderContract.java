// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.DueTime;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskState;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.GroupChange;
import io.delayqueue.internal.store.GroupPosition;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.LeaseRef;
import io.delayqueue.internal.store.MigrationHold;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.Renewal;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.SendPermit;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.queue.OrderSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What queues may ask for: an order among equals, one delivery of an id at a time, all of a batch or none. */
abstract class OrderContract extends StoreContract {

    private static final OrderSettings EQUALS = new OrderSettings(true, false);
    private static final OrderSettings ONE = new OrderSettings(false, true);

    OrderContract(ContractStore kept) {
        super(kept);
    }

    private static NewTask task(String id, int request, long due, OrderSettings order, ConflictPolicy policy) {
        return new NewTask(id, requestId(request), at(due), policy, content("p" + request), 0, order);
    }

    private static NewTask task(String id, int request, long due, OrderSettings order) {
        return task(id, request, due, order, ConflictPolicy.REPLACE);
    }

    private void scheduleEquals(long due, String... ids) {
        for (String id : ids) {
            schedule(task(id, id.hashCode() & 0xfff, due, EQUALS));
        }
    }

    private List<String> acquired(int limit) {
        return acquire(limit).tasks().stream().map(AcquiredTask::id).toList();
    }

    private long moment(String id) {
        return state().index().get(id);
    }

    // Among equals

    @Test
    void acquireWhenTasksAreDueInTheSameMillisecondGivesThemAsScheduled() {
        scheduleEquals(now - MINUTE, "z", "m", "a", "q");
        scheduleEquals(now - 2 * MINUTE, "second");

        assertThat(acquired(2)).containsExactly("second", "z");
        assertThat(acquired(10)).containsExactly("m", "a", "q");
    }

    @Test
    void acquireWhenOneCallScheduledEqualsGivesThemAsTheyWereInIt() {
        get(store.tasks()
                .schedule(
                        SHARD,
                        List.of(
                                task("c", 1, now - MINUTE, EQUALS),
                                task("a", 2, now - MINUTE, EQUALS),
                                task("d", 3, now - 2 * MINUTE, EQUALS),
                                task("b", 4, now - MINUTE, EQUALS))));
        scheduleEquals(now - MINUTE, "0");

        assertThat(acquired(10)).containsExactly("d", "c", "a", "b", "0");
    }

    @Test
    void acquireWhenNobodyAskedForAnOrderGoesByTheIds() {
        for (String id : List.of("z", "m", "a")) {
            schedule(id, id.charAt(0), now - MINUTE);
        }

        assertThat(acquired(10)).containsExactly("a", "m", "z");
    }

    @Test
    void acquireWhenEqualsAreNotDueYetTakesNone() {
        scheduleEquals(now + MINUTE, "b", "a");

        Acquisition none = acquire(10);

        assertThat(none.tasks()).isEmpty();
        assertThat(none.untilNext())
                .isEqualTo(Duration.ofNanos((now + MINUTE) * 1_000_000 - none.serverMicros() * 1_000));
        moveClock(2 * MINUTE);
        assertThat(acquired(10)).containsExactly("b", "a");
    }

    @Test
    void acquireWhenEqualsAreThereTellsTheirDueTimeToTheMillisecond() {
        scheduleEquals(now - MINUTE, "b", "a");

        assertThat(get(store.tasks().find(SHARD, "a")).orElseThrow().dueAt().toEpochMilli())
                .isEqualTo(now - MINUTE);
        assertThat(acquire(10).tasks()).allMatch(task -> task.dueAt().toEpochMilli() == now - MINUTE);
        assertThat(get(store.tasks().find(SHARD, "a")).orElseThrow().dueAt().toEpochMilli())
                .isEqualTo(now - MINUTE);
    }

    @Test
    void releaseWhenEqualsWereAcquiredGivesThemTheirOrderBack() {
        scheduleEquals(now - MINUTE, "z", "m", "a");
        long token = acquire(3).token();
        get(store.leases().renew(SHARD, List.of(new LeaseRef("m", token)), LEASE.multipliedBy(2)));

        get(store.leases()
                .release(SHARD, List.of(new LeaseRef("a", token), new LeaseRef("m", token), new LeaseRef("z", token))));
        scheduleEquals(now - MINUTE, "later");

        assertThat(acquired(2)).containsExactly("z", "m");
        assertThat(acquired(10)).containsExactly("a", "later");
    }

    @Test
    void rescheduleWhenTheTimeIsThatOfOthersComesBehindThem() {
        scheduleEquals(now - MINUTE, "z", "m");
        scheduleEquals(now + MINUTE, "a");

        get(store.tasks().reschedule(SHARD, LayoutVersion.NONE, "a", at(now - MINUTE), EQUALS));

        assertThat(acquired(10)).containsExactly("z", "m", "a");
    }

    @Test
    void scheduleWhenATaskIsReplacedAtItsTimeComesBehindTheOthers() {
        scheduleEquals(now - MINUTE, "z", "m");

        schedule(task("z", 9, now - MINUTE, EQUALS));
        schedule(task("z", 10, now - MINUTE, EQUALS));

        assertThat(acquired(10)).containsExactly("m", "z");
    }

    @ParameterizedTest
    @EnumSource(
            value = ConflictPolicy.class,
            names = {"EARLIEST", "LATEST"})
    void scheduleWhenAnEqualIsDueAtTheSameTimeKeepsIt(ConflictPolicy policy) {
        scheduleEquals(now + MINUTE, "b", "a");

        ScheduleReply reply = schedule(task("a", 9, now + MINUTE, EQUALS, policy));

        assertThat(reply.outcome()).isEqualTo(ScheduleOutcome.KEPT);
        assertThat(reply.dueAt().toEpochMilli()).isEqualTo(now + MINUTE);
    }

    @Test
    void statsWhenEqualsAreDueCountsAll() {
        scheduleEquals(now - MINUTE, "b", "a");
        scheduleEquals(now + MINUTE, "d", "c");

        assertThat(get(store.shards().stats(SHARD)).due()).isEqualTo(2);
    }

    @Test
    void takeInWhenEqualsMigrateKeepsTheirOrder() {
        scheduleEquals(now - MINUTE, "z", "m", "a");
        Shard other = new Shard("orders", 1);

        MigrationHold hold = get(store.migrations()
                .hold(SHARD, LayoutVersion.NONE, List.of("a", "m", "z"), Duration.ofMinutes(1), 1 << 20));
        get(store.migrations().takeIn(other, LayoutVersion.NONE, hold.deadline(), hold.token(), hold.tasks()));

        assertThat(get(store.leases().acquire(other, new AcquireRequest(10, LEASE, MAX_EXPIRED, 1 << 20, 500)))
                        .tasks())
                .extracting(AcquiredTask::id)
                .containsExactly("z", "m", "a");
    }

    @Test
    void acquireWhenThereAreMoreEqualsThanPlacesStillGivesAll() {
        List<NewTask> batch = new ArrayList<>();
        for (int i = 0; i < 4_500; i++) {
            batch.add(task(String.format("t%05d", 9_999 - i), i, now - MINUTE, EQUALS));
        }
        for (int from = 0; from < batch.size(); from += 500) {
            get(store.tasks().schedule(SHARD, batch.subList(from, from + 500)));
        }

        List<String> ids = new ArrayList<>();
        for (List<String> next = acquired(500); !next.isEmpty(); next = acquired(500)) {
            ids.addAll(next);
        }

        assertThat(ids).hasSize(4_500).doesNotHaveDuplicates();
        assertThat(ids.subList(0, 4_095))
                .isEqualTo(batch.subList(0, 4_095).stream().map(NewTask::id).toList());
    }

    // One at a time

    @Test
    void scheduleWhenADeliveryRunsWaitsForItsEnd() {
        schedule(task("a", 1, now - MINUTE, ONE));
        long token = lease("a");

        ScheduleReply reply = schedule(task("a", 2, now - MINUTE, ONE));

        assertThat(reply.outcome()).isEqualTo(ScheduleOutcome.REPLACED_IN_FLIGHT);
        assertThat(acquired(10)).isEmpty();
        assertThat(get(store.leases().renew(SHARD, List.of(new LeaseRef("a", token)), LEASE)))
                .containsExactly(Renewal.HELD_WHILE_ANOTHER_WAITS);
        assertThat(settle(Settlement.retry("a", token, Duration.ofHours(1), true, false, "of the one before")))
                .isFalse();
        Acquisition next = acquire(10);
        assertThat(next.tasks()).hasSize(1);
        assertThat(next.tasks().get(0).attempt()).isEqualTo(1);
        assertThat(new String(next.tasks().get(0).content().payload(), StandardCharsets.UTF_8))
                .isEqualTo("p2");
        assertThat(settle(Settlement.ack("a", next.token()))).isTrue();
        assertThat(state().tasks()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Settlement.Verb.class)
    void settleWhenAnotherTaskWaitsEndsTheLeaseAndNothingElse(Settlement.Verb verb) {
        schedule(task("a", 1, now - MINUTE, ONE));
        long token = lease("a");
        schedule(task("a", 2, now + 5 * MINUTE, ONE));

        assertThat(settle(new Settlement("a", token, verb, Duration.ZERO, true, false, "r")))
                .isFalse();

        assertThat(state())
                .isEqualTo(new ShardState(
                        0,
                        Map.of("a", now + 5 * MINUTE),
                        Map.of("a", envelope('F', 2, "p2")),
                        Map.of(),
                        Map.of(),
                        Map.of(),
                        lastToken));
        assertThat(cancel("a")).isEqualTo(CancelOutcome.CANCELLED);
    }

    @ParameterizedTest
    @EnumSource(
            value = Settlement.Verb.class,
            names = {"RETRY", "DEAD", "DISCARD"})
    void settleWhenAnotherTaskWaitsButTheDeliveryMayGoOnIsRemembered(Settlement.Verb verb) {
        schedule(task("a", 1, now - MINUTE, ONE));
        long token = lease("a");
        schedule(task("a", 2, now + 5 * MINUTE, ONE));

        assertThat(settle(new Settlement("a", token, verb, Duration.ZERO, true, true, "timed out")))
                .isFalse();

        assertThat(state().leases()).isEmpty();
        assertThat(state().attempts()).isEqualTo(Map.of("a", "1:" + (now + 5 * MINUTE) + ":0:0:1:timed out"));
        assertThat(moment("a")).isEqualTo(now + 5 * MINUTE);
        assertThat(cancel("a")).isEqualTo(CancelOutcome.IN_FLIGHT);
    }

    @Test
    void rescheduleWhenADeliveryRunsWaitsForItsEnd() {
        schedule(task("a", 1, now - MINUTE, ONE));
        long token = lease("a");

        assertThat(get(store.tasks().reschedule(SHARD, LayoutVersion.NONE, "a", at(now - 5 * MINUTE), ONE)))
                .isEqualTo(RescheduleOutcome.IN_FLIGHT);

        assertThat(acquired(10)).isEmpty();
        assertThat(get(store.tasks().find(SHARD, "a")).map(StoredTask::state)).contains(TaskState.LEASED);
        assertThat(release("a", token)).isTrue();
        assertThat(moment("a")).isEqualTo(now - 5 * MINUTE);
        assertThat(state().attempts()).isEmpty();
        assertThat(acquired(10)).containsExactly("a");
    }

    @Test
    void scheduleWhenTheLeaseOfTheDeliveryEndsIsWaitedForNoLonger() {
        schedule(task("a", 1, now - MINUTE, ONE));
        lease("a");
        schedule(task("a", 2, now - MINUTE, ONE));
        assertThat(moment("a")).isGreaterThan(now);

        moveClock(LEASE.toMillis() + MINUTE);
        Acquisition next = get(store.leases().acquire(SHARD, new AcquireRequest(10, LEASE, 0, 1 << 20, 0)));

        assertThat(next.dead()).isEmpty();
        assertThat(next.tasks()).hasSize(1);
        assertThat(next.tasks().get(0).attempt()).isEqualTo(1);
        assertThat(next.tasks().get(0).isSuspect()).isFalse();
        assertThat(settle(Settlement.retry("a", next.token(), Duration.ofHours(1), true, false, "r")))
                .isTrue();
        assertThat(cancel("a")).as("the first delivery may still run").isEqualTo(CancelOutcome.IN_FLIGHT);
    }

    @Test
    void renewWhenATaskWaitsKeepsItWaiting() {
        schedule(task("a", 1, now - MINUTE, ONE));
        long token = lease("a");
        schedule(task("a", 2, now + 2 * MINUTE, ONE));
        assertThat(moment("a")).isEqualTo(now + 2 * MINUTE);

        get(store.leases().renew(SHARD, List.of(new LeaseRef("a", token)), Duration.ofMinutes(30)));
        moveClock(10 * MINUTE);
        assertThat(acquired(10)).isEmpty();
        settle(Settlement.ack("a", token));

        assertThat(acquired(10)).containsExactly("a");
    }

    @Test
    void renewWhenTheTaskWasReplacedOrRescheduledMeanwhileSaysThatAnotherWaits() {
        for (String id : List.of("same", "replaced", "rescheduled", "cancelled")) {
            schedule(task(id, id.length(), now - MINUTE, ONE));
        }
        long token = acquire(10).token();
        schedule(task("replaced", 2, now + 5 * MINUTE, ONE));
        get(store.tasks().reschedule(SHARD, LayoutVersion.NONE, "rescheduled", at(now + 5 * MINUTE), ONE));
        cancel("cancelled");
        List<LeaseRef> leases = List.of(
                new LeaseRef("same", token),
                new LeaseRef("replaced", token),
                new LeaseRef("rescheduled", token),
                new LeaseRef("cancelled", token),
                new LeaseRef("absent", token));

        for (Duration lease : List.of(Duration.ofSeconds(1), LEASE.multipliedBy(2))) {
            assertThat(get(store.leases().renew(SHARD, leases, lease)))
                    .containsExactly(
                            Renewal.HELD,
                            Renewal.HELD_WHILE_ANOTHER_WAITS,
                            Renewal.HELD_WHILE_ANOTHER_WAITS,
                            Renewal.LOST,
                            Renewal.LOST);
        }

        assertThat(release("replaced", token)).isTrue();
        assertThat(release("rescheduled", token)).isTrue();
        assertThat(moment("replaced")).isEqualTo(now + 5 * MINUTE);
        assertThat(moment("rescheduled")).isEqualTo(now + 5 * MINUTE);
    }

    @Test
    void scheduleWhenOneOfACallWaitsKeepsItsPlaceAmongTheOthersOfTheCall() {
        OrderSettings both = new OrderSettings(true, true);
        schedule(task("z", 1, now - MINUTE, both));
        long token = acquire(1).token();

        get(store.tasks()
                .schedule(
                        SHARD,
                        List.of(
                                task("z", 2, now - MINUTE, both),
                                task("a", 3, now - MINUTE, both),
                                task("b", 4, now - MINUTE, both))));
        get(store.leases().settle(SHARD, List.of(Settlement.ack("z", token))));

        assertThat(acquired(10)).containsExactly("z", "a", "b");
    }

    @Test
    void groupDueWhenOneOfItWaitsKeepsItsPlaceAmongTheOthers() {
        OrderSettings both = new OrderSettings(true, true);
        String waiting = TaskIds.inGroup("g", "z");
        String other = TaskIds.inGroup("g", "a");
        schedule(task(waiting, 1, now - MINUTE, both));
        long token = acquire(1).token();
        schedule(task(waiting, 2, now - MINUTE, both));
        schedule(task(other, 3, now + LEASE.toMillis() + MINUTE, both));

        get(store.groups()
                .change(
                        SHARD,
                        LayoutVersion.NONE,
                        new GroupPosition("g", "", 20),
                        GroupChange.due(new DueTime(false, now - MINUTE), both)));
        get(store.leases().settle(SHARD, List.of(Settlement.ack(waiting, token))));

        assertThat(acquired(10)).containsExactly(waiting, other);
    }

    @Test
    void scheduleWhenATaskWaitsAlreadyReplacesIt() {
        schedule(task("a", 1, now - MINUTE, ONE));
        long token = lease("a");
        schedule(task("a", 2, now + MINUTE, ONE));

        assertThat(schedule(task("a", 3, now - 2 * MINUTE, ONE)).outcome())
                .isEqualTo(ScheduleOutcome.REPLACED_IN_FLIGHT);
        assertThat(acquired(10)).isEmpty();
        settle(Settlement.ack("a", token));

        assertThat(acquire(10).tasks().get(0).dueAt().toEpochMilli()).isEqualTo(now - 2 * MINUTE);
    }

    @Test
    void cancelWhenATaskWaitsDeletesIt() {
        schedule(task("a", 1, now - MINUTE, ONE));
        long token = lease("a");
        schedule(task("a", 2, now - MINUTE, ONE));

        assertThat(cancel("a")).isEqualTo(CancelOutcome.IN_FLIGHT);

        assertThat(changesNothing(() -> settle(Settlement.ack("a", token)))).isFalse();
        assertThat(state().tasks()).isEmpty();
        assertThat(state().leases()).isEmpty();
    }

    // Discard on death

    @Test
    void acquireWhenTheDeadAreNotKeptDeletesATaskOfWhichTooManyLeasesRanOut() {
        schedule("a", 1, now - MINUTE);
        lease("a");
        moveClock(LEASE.toMillis() + MINUTE);

        Acquisition answer = get(
                store.leases().acquire(SHARD, new AcquireRequest(10, LEASE, 0, 1 << 20, 500, Duration.ZERO, 0, false)));

        assertThat(answer.dead()).isEqualTo(Map.of("a", Acquisition.LEASE_EXPIRED));
        assertThat(state()).isEqualTo(new ShardState(0, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), lastToken));
    }

    // All or none

    private List<ScheduleReply> together(NewTask... tasks) {
        return get(store.tasks().scheduleTogether(SHARD, LayoutVersion.NONE, new SendPermit(), List.of(tasks)));
    }

    private static NewTask kept(String id, int request, long due) {
        return task(id, request, due, OrderSettings.NONE, ConflictPolicy.KEEP);
    }

    @Test
    void scheduleTogetherWhenAllAreNewStoresAll() {
        List<ScheduleReply> replies = together(kept("a", 1, now + MINUTE), kept("b", 2, now + 2 * MINUTE));

        assertThat(replies).extracting(ScheduleReply::outcome).containsOnly(ScheduleOutcome.CREATED);
        assertThat(state().index()).isEqualTo(Map.of("a", now + MINUTE, "b", now + 2 * MINUTE));
        assertThat(changesNothing(() -> together(kept("a", 1, now + MINUTE), kept("b", 2, now + 2 * MINUTE))))
                .as("the same sent again")
                .isEqualTo(replies);
    }

    @ParameterizedTest
    @EnumSource(value = TaskState.class)
    void scheduleTogetherWhenOneIdExistsStoresNone(TaskState held) {
        schedule("b", 1, held == TaskState.SCHEDULED ? now + MINUTE : now - MINUTE);
        if (held != TaskState.SCHEDULED) {
            long token = lease("b");
            if (held == TaskState.DEAD) {
                settle(Settlement.dead("b", token, false, "hopeless"));
            }
        }

        List<ScheduleReply> replies = changesNothing(
                () -> together(kept("a", 2, now + MINUTE), kept("b", 3, now + 2 * MINUTE), kept("c", 4, now + MINUTE)));

        assertThat(replies)
                .extracting(ScheduleReply::state)
                .containsExactly(ScheduleReply.State.LEFT_OUT, ScheduleReply.State.DONE, ScheduleReply.State.LEFT_OUT);
        assertThat(replies.get(1).outcome()).isEqualTo(ScheduleOutcome.KEPT);
    }

    @Test
    void scheduleTogetherWhenOneMigratesStoresNone() {
        schedule("b", 1, now + MINUTE);
        get(store.migrations().hold(SHARD, LayoutVersion.NONE, List.of("b"), Duration.ofMinutes(1), 1 << 20));

        List<ScheduleReply> replies =
                changesNothing(() -> together(kept("a", 2, now + MINUTE), kept("b", 3, now + 2 * MINUTE)));

        assertThat(replies)
                .extracting(ScheduleReply::state)
                .containsExactly(ScheduleReply.State.LEFT_OUT, ScheduleReply.State.MIGRATING);
    }
}
