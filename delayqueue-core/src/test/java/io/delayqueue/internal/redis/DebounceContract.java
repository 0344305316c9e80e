// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.TaskContent;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.Expiry;
import io.delayqueue.internal.store.LongestWait;
import io.delayqueue.internal.store.NewTask;
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

/**
 * Tasks that each call postpones, up to a maximum wait since the first call, and tasks for which the first call counts.
 */
abstract class DebounceContract extends StoreContract {

    /** Five minutes after the last call, and half an hour after the first. */
    private static final Duration DELAY = Duration.ofMinutes(5);

    private static final long LONGEST = 30 * MINUTE;

    private int request;

    DebounceContract(ContractStore kept) {
        super(kept);
    }

    private NewTask call(String payload, ConflictPolicy policy) {
        Map<String, String> headers = policy == ConflictPolicy.DEBOUNCE
                ? LongestWait.addTo(Map.of("tenant", payload), Duration.ofMillis(LONGEST))
                : Map.of("tenant", payload);
        TaskContent content = new TaskContent("application/json", headers, payload.getBytes(StandardCharsets.UTF_8));
        return new NewTask("a", requestId(++request), Due.after(DELAY), policy, content, 0);
    }

    private ScheduleReply debounce(String payload) {
        return schedule(call(payload, ConflictPolicy.DEBOUNCE));
    }

    private ScheduleReply throttle(String payload) {
        return schedule(call(payload, ConflictPolicy.THROTTLE));
    }

    private void assertDue(ScheduleReply reply, ScheduleOutcome outcome, long due) {
        assertThat(reply.outcome()).isEqualTo(outcome);
        assertThat(reply.dueAt().toEpochMilli()).isBetween(due, due + MINUTE / 2);
        StoredTask stored =
                get(store.tasks().find(SHARD, ShardingVersion.NONE, "a")).orElseThrow();
        assertThat(stored.dueAt()).isEqualTo(reply.dueAt());
    }

    private String payload() {
        StoredTask stored =
                get(store.tasks().find(SHARD, ShardingVersion.NONE, "a")).orElseThrow();
        assertThat(stored.content().headers())
                .containsEntry("tenant", new String(stored.content().payload(), StandardCharsets.UTF_8));
        return new String(stored.content().payload(), StandardCharsets.UTF_8);
    }

    @Test
    void debounceWhenCalledAgainPutsTheTaskOffUntilTheLongestWaitSinceTheFirst() {
        long first = now;
        assertDue(debounce("p1"), ScheduleOutcome.CREATED, first + 5 * MINUTE);
        for (int call = 1; call <= 7; call++) {
            moveClock(4 * MINUTE);
            assertDue(debounce("p1" + call), ScheduleOutcome.REPLACED, first + Math.min(4 * call + 5, 30) * MINUTE);
        }
        long last = state().index().get("a");

        moveClock(MINUTE);

        ScheduleReply reply = debounce("last");
        assertThat(reply.dueAt().toEpochMilli()).as("to the millisecond").isEqualTo(last);
        assertThat(payload()).isEqualTo("last");
    }

    @Test
    void debounceWhenTheLastMomentHasPassedIsDueNowWithThePayload() {
        debounce("p1");
        moveClock(40 * MINUTE);
        assertDue(debounce("p2"), ScheduleOutcome.REPLACED, now);
        moveClock(MINUTE);

        assertDue(debounce("p3"), ScheduleOutcome.REPLACED, now);

        assertThat(payload()).isEqualTo("p3");
        lease("a");
    }

    @Test
    void debounceWhenTheLastMomentPassedDuringAnOutageIsNotTooLate() {
        debounce("p1");
        moveClock(90 * MINUTE);
        debounce("p2");
        Expiry late = new Expiry(Duration.ofMinutes(10), false);

        Acquisition acquisition = get(store.leases()
                .acquire(SHARD, Acquires.without(late, Acquires.of(10, LEASE, MAX_EXPIRED, 1 << 20, 500))));

        assertThat(acquisition.dead()).isEmpty();
        assertThat(acquisition.tasks()).extracting(AcquiredTask::id).containsExactly("a");
        assertThat(payload()).isEqualTo("p2");
    }

    @Test
    void debounceWhenThePayloadBeginsWithADigitKeepsItsWait() {
        long first = now;
        for (int call = 0; call < 2; call++) {
            moveClock(call * 28 * MINUTE);
            TaskContent content = new TaskContent(
                    "application/json", LongestWait.addTo(Map.of(), Duration.ofMillis(LONGEST)), new byte[] {'7'});
            ScheduleReply reply = schedule(
                    new NewTask("a", requestId(++request), Due.after(DELAY), ConflictPolicy.DEBOUNCE, content, 0));
            assertThat(reply.dueAt().toEpochMilli() - first)
                    .isBetween(5 * MINUTE + call * 25 * MINUTE, 5 * MINUTE + call * 25 * MINUTE + MINUTE / 2);
        }
    }

    @Test
    void debounceWhenAnAttemptThatDoesNotCountIsToBeMadeAgainKeepsItsWait() {
        debounce("p1");
        moveClock(6 * MINUTE);
        settle(Settlement.retry("a", lease("a"), Duration.ofHours(2), false, false, "not now"));
        moveClock(34 * MINUTE);

        assertDue(debounce("p2"), ScheduleOutcome.REPLACED, now);
    }

    @Test
    void debounceWhenADeliveryBeganAndDidNotCountBeginsANewWaitThatLaterCallsKeep() {
        debounce("p1");
        moveClock(6 * MINUTE);
        settle(Settlement.retry("a", lease("a"), Duration.ofHours(2), false, true, "nacked by the broker"));
        moveClock(34 * MINUTE);

        assertDue(debounce("p2"), ScheduleOutcome.REPLACED_IN_FLIGHT, now + 5 * MINUTE);
        long second = now;
        for (int call = 1; call <= 6; call++) {
            moveClock(4 * MINUTE);
            assertDue(debounce("p3"), ScheduleOutcome.REPLACED_IN_FLIGHT, second + Math.min(4 * call + 5, 30) * MINUTE);
        }
    }

    @Test
    void debounceWhenTheDelayIsLongerThanTheLongestWaitIsDueAfterThat() {
        NewTask task = call("p1", ConflictPolicy.DEBOUNCE);
        NewTask far = new NewTask(
                "a", requestId(9), Due.after(Duration.ofHours(9)), ConflictPolicy.DEBOUNCE, task.content(), 0);

        assertDue(schedule(far), ScheduleOutcome.CREATED, now + 30 * MINUTE);
    }

    @Test
    void debounceWhenTheSameRequestComesAgainAnswersAsBeforeAndChangesNothing() {
        NewTask task = call("p1", ConflictPolicy.DEBOUNCE);
        ScheduleReply reply = schedule(task);
        moveClock(3 * MINUTE);

        assertThat(changesNothing(() -> schedule(task))).isEqualTo(reply);
    }

    @Test
    void debounceWhenADeliveryIsUnderWayBeginsANewWaitThatLaterCallsKeep() {
        debounce("p1");
        moveClock(20 * MINUTE);
        long token = lease("a");

        assertDue(debounce("p2"), ScheduleOutcome.REPLACED_IN_FLIGHT, now + 5 * MINUTE);
        assertThat(settle(Settlement.ack("a", token))).isFalse();
        long second = now;
        for (int call = 1; call <= 6; call++) {
            moveClock(4 * MINUTE);
            assertDue(debounce("p3"), ScheduleOutcome.REPLACED, second + Math.min(4 * call + 5, 30) * MINUTE);
        }
    }

    @Test
    void debounceWhenTheEarlierDeliveryEndsAndMayGoOnKeepsItsWait() {
        debounce("p1");
        moveClock(20 * MINUTE);
        long token = lease("a");
        debounce("p2");
        long second = now;
        assertThat(settle(Settlement.retry("a", token, Duration.ofHours(2), true, true, "timed out")))
                .isFalse();
        moveClock(6 * MINUTE);
        settle(Settlement.retry("a", lease("a"), Duration.ofHours(2), false, false, "outside its delivery hours"));
        moveClock(22 * MINUTE);

        assertDue(debounce("p3"), ScheduleOutcome.REPLACED_IN_FLIGHT, second + 30 * MINUTE);
    }

    @Test
    void debounceWhenTheTaskWasRedrivenKeepsItsWaitAlsoIfADeliveryMayGoOn() {
        debounce("p1");
        long first = now;
        moveClock(6 * MINUTE);
        settle(Settlement.dead("a", lease("a"), true, "timed out"));
        get(StoreCalls.redrive(store, SHARD, StoreCalls.dueNow(List.of("a"))));
        moveClock(22 * MINUTE);

        assertDue(debounce("p2"), ScheduleOutcome.REPLACED_IN_FLIGHT, first + 30 * MINUTE);
    }

    @Test
    void debounceWhenTheTaskWaitsForADeliveryKeepsItsWait() {
        schedule(call("p1", ConflictPolicy.DEBOUNCE));
        moveClock(6 * MINUTE);
        get(store.leases().acquire(SHARD, Acquires.of(10, Duration.ofHours(2), MAX_EXPIRED, 1 << 20, 500)));
        long second = now;
        schedule(call("p2", ConflictPolicy.DEBOUNCE));
        moveClock(28 * MINUTE);

        ScheduleReply reply = schedule(call("p3", ConflictPolicy.DEBOUNCE));

        assertThat(reply.outcome()).isEqualTo(ScheduleOutcome.REPLACED_IN_FLIGHT);
        assertThat(reply.dueAt().toEpochMilli()).isBetween(second + 30 * MINUTE, second + 30 * MINUTE + MINUTE / 2);
    }

    @Test
    void debounceWhenADeliveryHasFailedBeginsANewWait() {
        debounce("p1");
        moveClock(20 * MINUTE);
        settle(Settlement.retry("a", lease("a"), Duration.ofHours(1), true, false, "failed"));
        moveClock(20 * MINUTE);

        assertDue(debounce("p2"), ScheduleOutcome.REPLACED, now + 5 * MINUTE);
    }

    @Test
    void debounceWhenTheTaskIsDeadReplacesItAndBeginsANewWait() {
        debounce("p1");
        moveClock(40 * MINUTE);
        settle(Settlement.dead("a", lease("a"), false, "hopeless"));

        assertDue(debounce("p2"), ScheduleOutcome.REPLACED_DEAD, now + 5 * MINUTE);
    }

    @Test
    void debounceWhenTheTaskIsDueLaterByAnotherCallBeginsANewWait() {
        debounce("p1");
        assertThat(reschedule("a", at(now + 120 * MINUTE))).isEqualTo(RescheduleOutcome.RESCHEDULED);
        moveClock(60 * MINUTE);

        assertDue(debounce("p2"), ScheduleOutcome.REPLACED, now + 5 * MINUTE);
    }

    @Test
    void debounceWhenAnotherPolicyStoredTheTaskCountsFromNow() {
        schedule("a", 77, now + 2 * MINUTE);

        assertDue(debounce("p2"), ScheduleOutcome.REPLACED, now + 5 * MINUTE);
    }

    @Test
    void throttleWhenTheFirstIsNotDeliveredKeepsIt() {
        long first = now;
        assertDue(throttle("p1"), ScheduleOutcome.CREATED, first + 5 * MINUTE);
        moveClock(4 * MINUTE);
        assertDue(throttle("p2"), ScheduleOutcome.KEPT, first + 5 * MINUTE);
        moveClock(4 * MINUTE);
        long token = lease("a");
        assertThat(throttle("p3").outcome()).as("while it is delivered").isEqualTo(ScheduleOutcome.KEPT);
        settle(Settlement.retry("a", token, Duration.ofMinutes(1), true, false, "failed"));
        assertThat(throttle("p4").outcome()).as("before it is tried again").isEqualTo(ScheduleOutcome.KEPT);
        assertThat(payload()).isEqualTo("p1");

        moveClock(2 * MINUTE);
        settle(Settlement.ack("a", lease("a")));

        assertDue(throttle("p5"), ScheduleOutcome.CREATED, now + 5 * MINUTE);
    }

    @Test
    void throttleWhenTheTaskIsDeadReplacesIt() {
        throttle("p1");
        moveClock(6 * MINUTE);
        settle(Settlement.dead("a", lease("a"), false, "hopeless"));

        assertDue(throttle("p2"), ScheduleOutcome.REPLACED_DEAD, now + 5 * MINUTE);
        assertThat(payload()).isEqualTo("p2");
    }
}
