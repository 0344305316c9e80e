// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.TaskState;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.StoredTask;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Recurring tasks: a delivery that ends a round and makes the same id due again. */
abstract class RoundContract extends StoreContract {

    RoundContract(ContractStore kept) {
        super(kept);
    }

    private boolean again(String id, long token, Duration delay) {
        return settle(Settlement.again(id, token, Due.after(delay)));
    }

    @Test
    void settleWhenAgainHasTheTaskDueAfterTheDelayAsANewOne() {
        schedule("a", 1, now - MINUTE);
        long token = lease("a");
        long before = state().serverMillis();

        assertThat(again("a", token, Duration.ofMinutes(5))).isTrue();

        ShardState after = state();
        long due = after.index().get("a");
        assertThat(due).isBetween(before + 5 * MINUTE, after.serverMillis() + 5 * MINUTE + 1);
        assertThat(after)
                .isEqualTo(new ShardState(
                        0,
                        Map.of("a", due),
                        Map.of("a", envelope('C', 1, 1, "p1")),
                        Map.of(),
                        Map.of(),
                        Map.of(),
                        lastToken));
        assertThat(acquire(1).tasks()).isEmpty();
        moveClock(6 * MINUTE);
        AcquiredTask second = acquire(1).tasks().get(0);
        assertThat(second.dueAt().toEpochMilli()).isEqualTo(due);
        assertThat(second.attempt()).isEqualTo(1);
    }

    @Test
    void settleWhenAgainAtAMomentHasTheTaskDueThenAlsoIfThatHasPassed() {
        schedule("a", 1, now - 3 * MINUTE);
        schedule("b", 2, now - 2 * MINUTE);
        long token = acquire(2).token();

        settle(Settlement.again("a", token, new Due(false, now - MINUTE)));
        settle(Settlement.again("b", token, new Due(false, now + 7 * MINUTE)));

        assertThat(state().index()).isEqualTo(Map.of("a", now - MINUTE, "b", now + 7 * MINUTE));
        AcquiredTask second = acquire(1).tasks().get(0);
        assertThat(second.id()).isEqualTo("a");
        assertThat(second.dueAt()).isEqualTo(Instant.ofEpochMilli(now - MINUTE));
    }

    @Test
    void settleWhenAgainGivesEachRoundATaskKeyOfItsOwn() {
        schedule("a", 1, now - MINUTE);
        Acquisition first = acquire(1);
        again("a", first.token(), Duration.ZERO);
        moveClock(MINUTE);
        Acquisition second = acquire(1);
        again("a", second.token(), Duration.ZERO);
        moveClock(MINUTE);
        Acquisition third = acquire(1);

        assertThat(List.of(
                        first.tasks().get(0).taskKey(),
                        second.tasks().get(0).taskKey(),
                        third.tasks().get(0).taskKey()))
                .doesNotHaveDuplicates();
    }

    @Test
    void settleWhenAgainCountsFailuresFromZero() {
        schedule("a", 1, now - MINUTE);
        for (int round = 0; round < 3; round++) {
            settle(Settlement.retry("a", lease("a"), Duration.ZERO, true, false, "failed"));
            moveClock(MINUTE);
            Acquisition acquisition = acquire(1);
            assertThat(acquisition.tasks().get(0).failures()).isEqualTo(1);
            again("a", acquisition.token(), Duration.ZERO);
            moveClock(MINUTE);
        }

        assertThat(state().attempts()).isEmpty();
        assertThat(acquire(1).tasks().get(0).attempt()).isEqualTo(1);
    }

    @Test
    void cancelAfterARoundIsCancelled() {
        schedule("a", 1, now - MINUTE);
        settle(Settlement.retry("a", lease("a"), Duration.ZERO, true, true, "timed out"));
        moveClock(MINUTE);
        again("a", lease("a"), Duration.ofMinutes(5));

        assertThat(cancel("a")).isEqualTo(CancelOutcome.CANCELLED);
    }

    @Test
    void settleWhenAgainAfterACancelChangesNothing() {
        schedule("a", 1, now - MINUTE);
        long token = lease("a");
        assertThat(cancel("a")).isEqualTo(CancelOutcome.IN_FLIGHT);

        assertThat(changesNothing(() -> again("a", token, Duration.ZERO))).isFalse();

        assertThat(state().tasks()).isEmpty();
    }

    @Test
    void settleWhenAgainAfterARescheduleOrAReplacementLeavesTheirDueTimes() {
        schedule("a", 1, now - 2 * MINUTE);
        schedule("b", 2, now - MINUTE);
        long token = acquire(2).token();
        assertThat(reschedule("a", at(now + 7 * MINUTE))).isEqualTo(RescheduleOutcome.IN_FLIGHT);
        assertThat(schedule("b", 3, now + 8 * MINUTE).outcome()).isEqualTo(ScheduleOutcome.REPLACED_IN_FLIGHT);

        assertThat(again("a", token, Duration.ZERO)).isFalse();
        assertThat(again("b", token, Duration.ZERO)).isFalse();

        assertThat(state().index()).isEqualTo(Map.of("a", now + 7 * MINUTE, "b", now + 8 * MINUTE));
        assertThat(state().leases()).isEmpty();
    }

    @Test
    void settleWhenAgainIsSentTwiceChangesNothingTheSecondTime() {
        schedule("a", 1, now - MINUTE);
        long token = lease("a");
        again("a", token, Duration.ofMinutes(1));

        assertThat(changesNothing(() -> again("a", token, Duration.ofMinutes(9))))
                .isFalse();
    }

    @Test
    void settleWhenAgainWithADelayThatMakesNoSenseStaysWithinWhatIs() {
        schedule("a", 1, now - 2 * MINUTE);
        schedule("b", 2, now - MINUTE);
        long token = acquire(2).token();

        assertThat(get(store.leases()
                        .settle(
                                SHARD,
                                List.of(
                                        Settlement.again("a", token, Due.after(Duration.ofDays(-1))),
                                        Settlement.retry(
                                                "b", token, Duration.ofSeconds(Long.MAX_VALUE), true, false, "down")))))
                .containsExactly(true, true);

        assertThat(state().index()).containsEntry("b", 253402300799999L);
        assertThat(state().index().get("a")).isLessThanOrEqualTo(state().serverMillis());
    }

    @Test
    void settleWhenOneIsTriedAgainAndOneComesAgainInTheSameMillisecondLeavesThatToTheIds() {
        schedule("b", 1, now - MINUTE);
        schedule("a", 2, now - MINUTE);
        long token = acquire(2).token();
        get(store.leases()
                .settle(
                        SHARD,
                        List.of(
                                Settlement.retry("b", token, Duration.ofMinutes(1), true, false, "down"),
                                Settlement.again("a", token, Due.after(Duration.ofMinutes(1))))));
        moveClock(2 * MINUTE);

        assertThat(acquire(2).tasks()).extracting(AcquiredTask::id).containsExactly("a", "b");
    }

    @Test
    void settleWhenDiscardedLeavesNoTrace() {
        schedule("a", 1, now - MINUTE);
        Settlement dead = Settlement.dead("a", lease("a"), true, "hopeless");

        assertThat(settle(dead.discarding())).isTrue();

        assertThat(state()).isEqualTo(new ShardState(0, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), lastToken));
        assertThat(get(store.tasks().find(SHARD, "a")).map(StoredTask::state)).isNotEqualTo(TaskState.DEAD);
    }
}
