// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.TaskContent;
import io.delayqueue.TaskState;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.Expiry;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.StoredTask;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tasks that have been due for so long that they are not delivered any more. */
abstract class TooLateContract extends StoreContract {

    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

    TooLateContract(ContractStore kept) {
        super(kept);
    }

    /** Names the header behind others, and as the value of one: only the header itself counts. */
    private static NewTask expiring(String id, int request, long due, Duration after) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("note", "\u0010" + TaskHeaders.EXPIRES_AFTER + "\u00011");
        headers.put(TaskHeaders.EXPIRES_AFTER, Long.toString(after.toMillis()));
        byte[] payload = ("p" + request).getBytes(StandardCharsets.UTF_8);
        TaskContent content = new TaskContent("application/json", headers, payload);
        return new NewTask(id, requestId(request), at(due), ConflictPolicy.REPLACE, content, 0);
    }

    private Acquisition acquire(Expiry late) {
        AcquireRequest request = Acquires.of(100, LEASE, MAX_EXPIRED, 1 << 20, 500);
        return noted(get(store.leases().acquire(SHARD, Acquires.without(late, request))));
    }

    private static Expiry after(Duration longest) {
        return new Expiry(longest, true);
    }

    private StoredTask find(String id) {
        return get(store.tasks().find(SHARD, id)).orElseThrow();
    }

    @Test
    void acquireWhenATaskIsLaterThanItSaysMakesItDead() {
        schedule(expiring("late", 1, now - 11 * MINUTE, TEN_MINUTES));
        schedule(expiring("in-time", 2, now - 9 * MINUTE, TEN_MINUTES));

        Acquisition acquisition = acquire(Expiry.NEVER);

        assertThat(acquisition.tasks()).extracting(AcquiredTask::id).containsExactly("in-time");
        assertThat(acquisition.dead()).isEqualTo(Map.of("late", "expired"));
        StoredTask dead = find("late");
        assertThat(dead.state()).isEqualTo(TaskState.DEAD);
        assertThat(dead.lastReason()).isEqualTo("expired");
        assertThat(dead.failures()).isZero();
        assertThat(dead.dueAt().toEpochMilli()).isEqualTo(now - 11 * MINUTE);
        assertThat(state().brokenInvariant()).isEmpty();
    }

    @Test
    void acquireWhenATaskIsLaterThanItsQueueSaysMakesItDead() {
        schedule("late", 1, now - 11 * MINUTE);
        schedule("in-time", 2, now - 9 * MINUTE);

        Acquisition acquisition = acquire(after(TEN_MINUTES));

        assertThat(acquisition.tasks()).extracting(AcquiredTask::id).containsExactly("in-time");
        assertThat(acquisition.dead()).isEqualTo(Map.of("late", "expired"));
    }

    @Test
    void acquireWhenATaskSaysOtherwiseThanItsQueueGoesByTheTask() {
        schedule(expiring("patient", 1, now - 20 * MINUTE, Duration.ofMinutes(30)));
        schedule(expiring("hasty", 2, now - 2 * MINUTE, Duration.ofMinutes(1)));

        Acquisition acquisition = acquire(after(TEN_MINUTES));

        assertThat(acquisition.tasks()).extracting(AcquiredTask::id).containsExactly("patient");
        assertThat(acquisition.dead()).isEqualTo(Map.of("hasty", "expired"));
    }

    @Test
    void acquireWhenTooLateTasksAreDroppedLeavesNothingOfThem() {
        schedule(expiring("late", 1, now - 11 * MINUTE, TEN_MINUTES));

        Acquisition acquisition = acquire(new Expiry(null, false));

        assertThat(acquisition.dead()).isEqualTo(Map.of("late", "expired"));
        assertThat(get(store.tasks().find(SHARD, "late"))).isEmpty();
        assertThat(state().index()).isEmpty();
        assertThat(state().tasks()).isEmpty();
        assertThat(state().dead()).isEmpty();
    }

    @Test
    void acquireWhenExactlySoLateTakesItAndAMillisecondLaterDoesNot() {
        for (int round = 0; round < 100; round++) {
            long due = state().serverMillis();
            schedule("a" + round, round, due);
            Acquisition acquisition = acquire(after(Duration.ofMillis(1)));
            boolean late = millis(acquisition) - due > 1;
            assertThat(acquisition.dead().containsKey("a" + round)).isEqualTo(late);
            assertThat(acquisition.tasks()).hasSize(late ? 0 : 1);
        }
    }

    @Test
    void acquireWhenATaskIsTriedAgainCountsFromTheDueTime() {
        schedule(expiring("a", 1, now, TEN_MINUTES));
        moveClock(1);
        long token = lease("a");
        settle(Settlement.retry("a", token, Duration.ofMinutes(11), true, false, "no answer"));
        moveClock(12 * MINUTE);

        Acquisition acquisition = acquire(Expiry.NEVER);

        assertThat(acquisition.tasks()).isEmpty();
        assertThat(acquisition.dead()).isEqualTo(Map.of("a", "expired"));
        assertThat(find("a").failures()).isOne();
    }

    @Test
    void acquireWhenALeaseRanOutAndItIsTooLateKeepsWhatIsNotKnown() {
        schedule(expiring("a", 1, now, TEN_MINUTES));
        moveClock(1);
        lease("a");
        moveClock(11 * MINUTE);

        assertThat(acquire(Expiry.NEVER).dead()).isEqualTo(Map.of("a", "expired"));

        assertThat(find("a").leaseExpiries()).isOne();
        assertThat(state().attempts().get("a")).endsWith(":1:1:expired");
        assertThat(state().leases()).isEmpty();
    }

    @Test
    void acquireWhenATaskWasRescheduledCountsFromTheNewDueTime() {
        schedule(expiring("a", 1, now - 20 * MINUTE, TEN_MINUTES));
        reschedule("a", at(now - MINUTE));

        assertThat(acquire(Expiry.NEVER).tasks()).extracting(AcquiredTask::id).containsExactly("a");
    }

    @Test
    void acquireWhenADeadOneWasRedrivenTakesIt() {
        schedule(expiring("a", 1, now - 20 * MINUTE, TEN_MINUTES));
        acquire(Expiry.NEVER);
        get(StoreCalls.redrive(store, SHARD, StoreCalls.dueNow(List.of("a"))));

        assertThat(acquire(Expiry.NEVER).tasks()).extracting(AcquiredTask::id).containsExactly("a");
    }

    @Test
    void acquireWhenOverdueTasksArePacedPassesThoseThatAreTooLate() {
        for (int i = 0; i < 50; i++) {
            schedule(expiring("late" + i, i, now - 20 * MINUTE, TEN_MINUTES));
        }
        schedule("overdue", 99, now - 5 * MINUTE);

        AcquireRequest paced = Acquires.of(100, LEASE, MAX_EXPIRED, 1 << 20, 500, 1);
        Acquisition acquisition = get(store.leases().acquire(SHARD, paced));

        assertThat(acquisition.dead()).hasSize(50);
        assertThat(acquisition.tasks()).extracting(AcquiredTask::id).containsExactly("overdue");
    }

    @Test
    void acquireWhenVeryManyAreTooLateAsksForMore() {
        for (int i = 0; i < 1_200; i++) {
            schedule("t" + i, i, now - 20 * MINUTE);
        }

        Acquisition acquisition = acquire(after(TEN_MINUTES));

        assertThat(acquisition.tasks()).isEmpty();
        assertThat(acquisition.dead()).hasSizeBetween(500, 600);
        assertThat(acquisition.untilNext()).isZero();
        assertThat(acquire(after(TEN_MINUTES)).dead()).hasSizeBetween(500, 600);
    }

    @Test
    void scheduleWhenATaskThatSaysHowLateIsReplacedOrRepeatedAnswersAsAlways() {
        assertThat(schedule(expiring("a", 1, now + MINUTE, TEN_MINUTES)).outcome())
                .isEqualTo(ScheduleOutcome.CREATED);
        assertThat(schedule(expiring("a", 1, now + MINUTE, TEN_MINUTES)).outcome())
                .isEqualTo(ScheduleOutcome.CREATED);
        assertThat(schedule(expiring("a", 2, now - 20 * MINUTE, TEN_MINUTES)).outcome())
                .isEqualTo(ScheduleOutcome.REPLACED);
        assertThat(schedule(expiring("a", 2, now - 20 * MINUTE, TEN_MINUTES)).outcome())
                .isEqualTo(ScheduleOutcome.REPLACED);
        assertThat(acquire(Expiry.NEVER).dead()).containsOnlyKeys("a");
    }

    @Test
    void scheduleWhenATaskReplacesOneThatSaysHowLateForgetsIt() {
        schedule(expiring("a", 1, now + MINUTE, TEN_MINUTES));
        schedule("a", 2, now - 20 * MINUTE);

        assertThat(acquire(Expiry.NEVER).tasks()).extracting(AcquiredTask::id).containsExactly("a");
    }

    @Test
    void acquireWhenARoundIsDueAgainCountsFromItsOwnDueTime() {
        schedule(expiring("a", 1, now, TEN_MINUTES));
        moveClock(1);
        settle(Settlement.again("a", lease("a"), Due.after(Duration.ofMinutes(30))));
        moveClock(35 * MINUTE);

        settle(Settlement.again("a", lease("a"), Due.after(Duration.ofMinutes(30))));
        moveClock(45 * MINUTE);

        assertThat(acquire(Expiry.NEVER).dead()).containsOnlyKeys("a");
    }
}
