// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.TaskState;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.LeaseRef;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.Renewal;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.StoredTask;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One delivery of an id at a time, and all of a batch or none. */
abstract class OrderContract extends StoreContract {

    OrderContract(ContractStore kept) {
        super(kept);
    }

    private static NewTask task(String id, int request, long due) {
        return task(id, request, at(due), ConflictPolicy.REPLACE, "p" + request);
    }

    private List<String> acquired(int limit) {
        return acquire(limit).tasks().stream().map(AcquiredTask::id).toList();
    }

    private long moment(String id) {
        return state().index().get(id);
    }

    // One at a time

    @Test
    void scheduleWhenADeliveryRunsWaitsForItsEnd() {
        schedule(task("a", 1, now - MINUTE));
        long token = lease("a");

        ScheduleReply reply = schedule(task("a", 2, now - MINUTE));

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
        schedule(task("a", 1, now - MINUTE));
        long token = lease("a");
        schedule(task("a", 2, now + 5 * MINUTE));

        assertThat(settle(new Settlement("a", token, verb, Due.now(), true, false, "r")))
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
        schedule(task("a", 1, now - MINUTE));
        long token = lease("a");
        schedule(task("a", 2, now + 5 * MINUTE));

        assertThat(settle(new Settlement("a", token, verb, Due.now(), true, true, "timed out")))
                .isFalse();

        assertThat(state().leases()).isEmpty();
        assertThat(state().attempts())
                .isEqualTo(
                        Map.of("a", "1:" + (now + 5 * MINUTE) + ":0:0:1:an earlier delivery may still be in progress"));
        assertThat(moment("a")).isEqualTo(now + 5 * MINUTE);
        assertThat(cancel("a")).isEqualTo(CancelOutcome.IN_FLIGHT);
    }

    @Test
    void rescheduleWhenADeliveryRunsWaitsForItsEnd() {
        schedule(task("a", 1, now - MINUTE));
        long token = lease("a");

        assertThat(get(StoreCalls.reschedule(store, SHARD, ShardingVersion.NONE, "a", at(now - 5 * MINUTE))))
                .isEqualTo(RescheduleOutcome.IN_FLIGHT);

        assertThat(acquired(10)).isEmpty();
        assertThat(get(store.tasks().find(SHARD, "a")).map(StoredTask::state)).contains(TaskState.LEASED);
        assertThat(release("a", token)).isFalse();
        assertThat(moment("a")).isEqualTo(now - 5 * MINUTE);
        assertThat(state().attempts()).isEmpty();
        assertThat(acquired(10)).containsExactly("a");
    }

    @Test
    void scheduleWhenTheLeaseOfTheDeliveryEndsIsWaitedForNoLonger() {
        schedule(task("a", 1, now - MINUTE));
        lease("a");
        schedule(task("a", 2, now - MINUTE));
        assertThat(moment("a")).isGreaterThan(now);

        moveClock(LEASE.toMillis() + MINUTE);
        Acquisition next = get(store.leases().acquire(SHARD, Acquires.of(10, LEASE, 0, 1 << 20, 0)));

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
        schedule(task("a", 1, now - MINUTE));
        long token = lease("a");
        schedule(task("a", 2, now + 2 * MINUTE));
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
            schedule(task(id, id.length(), now - MINUTE));
        }
        long token = acquire(10).token();
        schedule(task("replaced", 2, now + 5 * MINUTE));
        get(StoreCalls.reschedule(store, SHARD, ShardingVersion.NONE, "rescheduled", at(now + 5 * MINUTE)));
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

        assertThat(release("replaced", token)).isFalse();
        assertThat(release("rescheduled", token)).isFalse();
        assertThat(moment("replaced")).isEqualTo(now + 5 * MINUTE);
        assertThat(moment("rescheduled")).isEqualTo(now + 5 * MINUTE);
    }

    @Test
    void scheduleWhenATaskWaitsAlreadyReplacesIt() {
        schedule(task("a", 1, now - MINUTE));
        long token = lease("a");
        schedule(task("a", 2, now + MINUTE));

        assertThat(schedule(task("a", 3, now - 2 * MINUTE)).outcome()).isEqualTo(ScheduleOutcome.REPLACED_IN_FLIGHT);
        assertThat(acquired(10)).isEmpty();
        settle(Settlement.ack("a", token));

        assertThat(acquire(10).tasks().get(0).dueAt().toEpochMilli()).isEqualTo(now - 2 * MINUTE);
    }

    @Test
    void cancelWhenATaskWaitsDeletesIt() {
        schedule(task("a", 1, now - MINUTE));
        long token = lease("a");
        schedule(task("a", 2, now - MINUTE));

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

        Acquisition answer = get(store.leases().acquire(SHARD, Acquires.of(10, LEASE, 0, 1 << 20, 500, 0, false)));

        assertThat(answer.dead()).isEqualTo(Map.of("a", Acquisition.LEASE_EXPIRED));
        assertThat(state()).isEqualTo(new ShardState(0, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), lastToken));
    }
}
