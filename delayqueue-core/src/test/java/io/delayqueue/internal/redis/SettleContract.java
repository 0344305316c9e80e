// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.StoredTask;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How leases end, and what cancel and reschedule make of tasks in every state. */
abstract class SettleContract extends StoreContract {

    SettleContract(ContractStore kept) {
        super(kept);
    }

    private ShardState only(
            Map<String, Long> index, Map<String, String> attempts, Map<String, Long> dead, String token) {
        return only(0, index, attempts, dead, token);
    }

    private ShardState only(
            int reschedules,
            Map<String, Long> index,
            Map<String, String> attempts,
            Map<String, Long> dead,
            String token) {
        return new ShardState(
                0, index, Map.of("a", envelope('C', 1, reschedules, "p1")), Map.of(), attempts, dead, token);
    }

    private static ShardState nothing(String token) {
        return new ShardState(0, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), token);
    }

    @Test
    void settleWhenAcknowledgedLeavesNoTrace() {
        schedule("a", 1, now - MINUTE);
        settle(Settlement.retry("a", lease("a"), Duration.ZERO, true, true, "failed"));
        moveClock(MINUTE);

        assertThat(settle(Settlement.ack("a", lease("a")))).isTrue();

        assertThat(state()).isEqualTo(nothing(lastToken));
    }

    @Test
    void settleWhenADelayMakesNoSenseSettlesWhatGoesWithIt() {
        for (String id : List.of("past", "never", "done")) {
            schedule(id, id.length(), now - MINUTE);
        }
        long token = acquire(3).token();

        List<Boolean> verdicts = get(store.leases()
                .settle(
                        SHARD,
                        List.of(
                                Settlement.retry("past", token, Duration.ofMinutes(-5), true, false, "late"),
                                Settlement.retry(
                                        "never", token, Duration.ofSeconds(Long.MAX_VALUE), true, false, "far"),
                                Settlement.ack("done", token))));

        assertThat(verdicts).containsExactly(true, true, true);
        Map<String, Long> index = state().index();
        assertThat(index).containsOnlyKeys("past", "never").containsEntry("never", 253402300799999L);
        assertThat(index.get("past")).isBetween(now - MINUTE, state().serverMillis());
    }

    @Test
    void settleWhenRetriedIsDueAfterTheDelayAndCountsTheFailure() {
        schedule("a", 1, now - MINUTE);
        long token = lease("a");
        long before = state().serverMillis();

        assertThat(settle(Settlement.retry("a", token, Duration.ofMinutes(5), true, false, "no: answer\n:1")))
                .isTrue();

        ShardState after = state();
        long again = after.index().get("a");
        assertThat(again).isBetween(before + 5 * MINUTE, after.serverMillis() + 5 * MINUTE + 1);
        assertThat(after)
                .isEqualTo(only(
                        Map.of("a", again),
                        Map.of("a", "1:" + (now - MINUTE) + ":1:0:0:no: answer\n:1"),
                        Map.of(),
                        lastToken));
        assertThat(acquire(1).tasks()).isEmpty();
        moveClock(6 * MINUTE);
        Acquisition second = acquire(1);
        assertThat(second.tasks()).hasSize(1);
        assertThat(second.tasks().get(0).failures()).isEqualTo(1);
        assertThat(second.tasks().get(0).dueAt().toEpochMilli()).isEqualTo(now - 7 * MINUTE);
    }

    @Test
    void settleWhenRetriedWithoutFailureCountsNone() {
        schedule("a", 1, now - MINUTE);
        settle(Settlement.retry("a", lease("a"), Duration.ofMinutes(5), false, true, "blocked"));

        assertThat(state().attempts()).containsExactly(Map.entry("a", "1:" + (now - MINUTE) + ":0:0:1:blocked"));
    }

    @Test
    void settleWhenUncertainOnceStaysUncertain() {
        schedule("a", 1, now - MINUTE);
        settle(Settlement.retry("a", lease("a"), Duration.ZERO, true, true, "timed out"));
        moveClock(MINUTE);
        settle(Settlement.retry("a", lease("a"), Duration.ofHours(1), true, false, "nacked"));

        assertThat(state().attempts()).containsExactly(Map.entry("a", "1:" + (now - 2 * MINUTE) + ":2:0:1:nacked"));
        assertThat(cancel("a")).isEqualTo(CancelOutcome.IN_FLIGHT);
    }

    @Test
    void settleWhenTheRetryWouldPassTheYear9999StaysWithin() {
        schedule("a", 1, now - MINUTE);
        settle(Settlement.retry("a", lease("a"), Duration.ofDays(4_000_000), true, false, "r"));

        assertThat(state().index()).containsEntry("a", Due.MAX_EPOCH_MILLIS);
    }

    @Test
    void settleWhenDeadKeepsTheTaskWithItsReason() {
        schedule("a", 1, now - MINUTE);
        long token = lease("a");
        long before = state().serverMillis();

        assertThat(settle(Settlement.dead("a", token, false, "unroutable"))).isTrue();

        ShardState after = state();
        long died = after.dead().get("a");
        assertThat(died).isBetween(before, after.serverMillis());
        assertThat(after)
                .isEqualTo(only(
                        Map.of(),
                        Map.of("a", "1:" + (now - MINUTE) + ":1:0:0:unroutable"),
                        Map.of("a", died),
                        lastToken));
        assertThat(changesNothing(() -> acquire(10)).tasks()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Settlement.Verb.class)
    void settleWhenTheTokenIsNotTheStoredOneChangesNothing(Settlement.Verb verb) {
        schedule("a", 1, now - MINUTE);
        long stale = lease("a");
        moveClock(LEASE.toMillis() + MINUTE);
        long token = lease("a");

        for (long wrong : new long[] {stale, token + 1, 0, -1}) {
            Settlement settlement = new Settlement("a", wrong, verb, Due.now(), true, true, "r");
            assertThat(changesNothing(() -> settle(settlement))).isFalse();
            assertThat(changesNothing(() -> release("a", wrong))).isFalse();
        }
        assertThat(changesNothing(() -> settle(new Settlement("absent", token, verb, Due.now(), true, true, "r"))))
                .isFalse();
        assertThat(settle(Settlement.ack("a", token))).isTrue();
        assertThat(changesNothing(() -> settle(Settlement.ack("a", token)))).isFalse();
    }

    @Test
    void settleWhenSomeTokensAreStaleSettlesTheOthersAndAnswersInOrder() {
        schedule("a", 1, now - 4 * MINUTE);
        schedule("b", 2, now - 3 * MINUTE);
        schedule("c", 3, now - 2 * MINUTE);
        schedule("d", 4, now - MINUTE);
        long token = acquire(10).token();
        cancel("b");

        List<Boolean> verdicts = get(store.leases()
                .settle(
                        SHARD,
                        List.of(
                                Settlement.ack("a", token),
                                Settlement.ack("b", token),
                                Settlement.retry("c", token, Duration.ofMinutes(1), true, false, "r"),
                                Settlement.dead("d", token, false, "r"))));

        assertThat(verdicts).containsExactly(true, false, true, true);
        ShardState after = state();
        assertThat(after.brokenInvariant()).isEmpty();
        assertThat(after.index()).containsOnlyKeys("c");
        assertThat(after.dead()).containsOnlyKeys("d");
        assertThat(after.leases()).isEmpty();
    }

    @Test
    void settleWhenTheLeaseRanOutButNobodyTookItStillCounts() {
        schedule("a", 1, now - MINUTE);
        long token = lease("a");
        moveClock(10 * MINUTE);

        assertThat(settle(Settlement.ack("a", token))).isTrue();

        assertThat(state()).isEqualTo(nothing(lastToken));
    }

    @Test
    void releaseWhenHeldMakesTheTaskDueAtOnceWithoutAnAttempt() {
        schedule("a", 1, now - MINUTE);
        long token = lease("a");

        assertThat(release("a", token)).isTrue();

        assertThat(state()).isEqualTo(only(Map.of("a", now - MINUTE), Map.of(), Map.of(), lastToken));
        Acquisition again = acquire(1);
        assertThat(again.tasks()).hasSize(1);
        assertThat(again.tasks().get(0).attempt()).isEqualTo(1);
        assertThat(again.token()).isGreaterThan(token);
        assertThat(changesNothing(() -> release("a", token))).isFalse();
    }

    @Test
    void releaseWhenTheTaskHadFailedBeforeKeepsItsCounts() {
        schedule("a", 1, now - MINUTE);
        settle(Settlement.retry("a", lease("a"), Duration.ZERO, true, false, "failed"));
        moveClock(MINUTE);
        String attempts = state().attempts().get("a");

        release("a", lease("a"));

        assertThat(state()).isEqualTo(only(Map.of("a", now - 2 * MINUTE), Map.of("a", attempts), Map.of(), lastToken));
    }

    @Test
    void cancelWhenWaitingDeletesTheTask() {
        schedule("a", 1, now + MINUTE);

        assertThat(cancel("a")).isEqualTo(CancelOutcome.CANCELLED);

        assertThat(state()).isEqualTo(nothing(""));
        assertThat(changesNothing(() -> cancel("a"))).isEqualTo(CancelOutcome.NOT_FOUND);
    }

    @Test
    void cancelWhenReleasedAnswersCancelled() {
        schedule("a", 1, now - MINUTE);
        release("a", lease("a"));

        assertThat(cancel("a")).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(state()).isEqualTo(nothing(lastToken));
    }

    @Test
    void cancelWhenFailedForCertainAnswersCancelled() {
        schedule("a", 1, now - MINUTE);
        settle(Settlement.retry("a", lease("a"), Duration.ofHours(1), true, false, "failed"));

        assertThat(cancel("a")).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(state()).isEqualTo(nothing(lastToken));
    }

    @Test
    void cancelWhenLeasedAnswersInFlightAndTheHolderIsStale() {
        schedule("a", 1, now - MINUTE);
        long token = lease("a");

        assertThat(cancel("a")).isEqualTo(CancelOutcome.IN_FLIGHT);

        assertThat(state()).isEqualTo(nothing(lastToken));
        assertThat(changesNothing(() -> settle(Settlement.retry("a", token, Duration.ZERO, true, false, "failed"))))
                .isFalse();
    }

    @Test
    void cancelWhenAnEarlierLeaseRanOutAnswersInFlight() {
        schedule("a", 1, now - MINUTE);
        lease("a");
        moveClock(LEASE.toMillis() + MINUTE);
        assertThat(release("a", lease("a"))).isTrue();

        assertThat(cancel("a")).isEqualTo(CancelOutcome.IN_FLIGHT);
        assertThat(state()).isEqualTo(nothing(lastToken));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void cancelWhenDeadDiscardsTheTaskAndSaysSo(boolean uncertain) {
        schedule("a", 1, now - MINUTE);
        settle(Settlement.dead("a", lease("a"), uncertain, "r"));

        assertThat(cancel("a")).isEqualTo(CancelOutcome.DISCARDED_DEAD);

        assertThat(state()).isEqualTo(nothing(lastToken));
        assertThat(changesNothing(() -> cancel("a"))).isEqualTo(CancelOutcome.NOT_FOUND);
    }

    @Test
    void rescheduleWhenDeadLeavesItAlone() {
        schedule("a", 1, now - MINUTE);
        settle(Settlement.dead("a", lease("a"), false, "r"));

        assertThat(changesNothing(() -> reschedule("a", at(now)))).isEqualTo(RescheduleOutcome.NOT_FOUND);
    }

    @Test
    void rescheduleWhenWaitingMovesOnlyTheScore() {
        schedule("a", 1, now + MINUTE);

        assertThat(reschedule("a", at(now - 5 * MINUTE))).isEqualTo(RescheduleOutcome.RESCHEDULED);
        assertThat(state()).isEqualTo(only(Map.of("a", now - 5 * MINUTE), Map.of(), Map.of(), ""));
        assertThat(reschedule("a", at(now + 5 * MINUTE))).isEqualTo(RescheduleOutcome.RESCHEDULED);
        assertThat(state()).isEqualTo(only(Map.of("a", now + 5 * MINUTE), Map.of(), Map.of(), ""));
        assertThat(changesNothing(() -> acquire(1)).tasks()).isEmpty();
    }

    @Test
    void rescheduleWhenRelativeAddsTheDelayToTheServersClock() {
        schedule("a", 1, now + MINUTE);
        moveClock(-100 * MINUTE);
        long before = state().serverMillis();

        reschedule("a", Due.after(Duration.ofMinutes(3)));

        ShardState after = state();
        assertThat(after.index().get("a")).isBetween(before - 97 * MINUTE, after.serverMillis() - 97 * MINUTE + 1);
    }

    @Test
    void rescheduleWhenFailedBeforeKeepsCountsUnderTheNewDueTime() {
        schedule("a", 1, now - MINUTE);
        settle(Settlement.retry("a", lease("a"), Duration.ofMinutes(1), true, false, "failed"));

        assertThat(reschedule("a", at(now + 9 * MINUTE))).isEqualTo(RescheduleOutcome.RESCHEDULED);

        assertThat(state())
                .isEqualTo(only(
                        Map.of("a", now + 9 * MINUTE),
                        Map.of("a", "1:" + (now + 9 * MINUTE) + ":1:0:0:failed"),
                        Map.of(),
                        lastToken));
    }

    @Test
    void rescheduleWhenTheLeaseIsOverTakesItAway() {
        schedule("a", 1, now - MINUTE);
        long token = lease("a");
        moveClock(LEASE.toMillis() + MINUTE);

        assertThat(reschedule("a", at(now + 9 * MINUTE))).isEqualTo(RescheduleOutcome.IN_FLIGHT);

        assertThat(state())
                .isEqualTo(only(
                        1,
                        Map.of("a", now + 9 * MINUTE),
                        Map.of("a", "1:" + (now + 9 * MINUTE) + ":0:0:1:rescheduled during a delivery"),
                        Map.of(),
                        lastToken));
        assertThat(changesNothing(() -> settle(Settlement.ack("a", token)))).isFalse();
        assertThat(changesNothing(() -> release("a", token))).isFalse();
        assertThat(reschedule("a", at(now + 8 * MINUTE))).isEqualTo(RescheduleOutcome.IN_FLIGHT);
        assertThat(cancel("a")).isEqualTo(CancelOutcome.IN_FLIGHT);
    }

    @Test
    void taskKeyWhenRetriedReleasedExpiredMovedBeforeADeliveryAndRedrivenStays() {
        schedule("a", 1, now + MINUTE);
        assertThat(reschedule("a", at(now - MINUTE))).isEqualTo(RescheduleOutcome.RESCHEDULED);
        AcquiredTask first = acquire(1).tasks().get(0);
        String key = first.taskKey();
        assertThat(key).isEqualTo("AAAAAAAAAAAAAAAAAAAAAQ");

        moveClock(LEASE.toMillis());
        Acquisition expired = acquire(1);
        assertThat(expired.tasks()).extracting(AcquiredTask::taskKey).containsExactly(key);
        assertThat(release("a", expired.token())).isTrue();
        settle(Settlement.retry("a", lease("a"), Duration.ZERO, true, true, "failed"));
        moveClock(1);
        settle(Settlement.dead("a", lease("a"), true, "hopeless"));
        assertThat(get(store.tasks().find(SHARD, "a")).orElseThrow().taskKey()).isEqualTo(key);
        assertThat(get(store.shards().page(SHARD, PageRequest.dead(1).withContent(1 << 20)))
                        .tasks())
                .extracting(StoredTask::taskKey)
                .containsExactly(key);
        get(StoreCalls.redrive(store, SHARD, StoreCalls.dueNow(List.of("a"))));

        assertThat(acquire(1).tasks()).extracting(AcquiredTask::taskKey).containsExactly(key);
    }

    @Test
    void taskKeyWhenScheduledAgainOrMovedDuringADeliveryIsAnother() {
        Set<String> keys = new HashSet<>();
        schedule("a", 1, now - MINUTE);
        for (int delivery = 0; delivery < 3; delivery++) {
            Acquisition acquisition = acquire(1);
            keys.add(acquisition.tasks().get(0).taskKey());
            if (delivery < 2) {
                assertThat(reschedule("a", at(now - MINUTE))).isEqualTo(RescheduleOutcome.IN_FLIGHT);
            } else {
                schedule("a", 2, now - MINUTE);
            }
            settle(Settlement.ack("a", acquisition.token()));
        }
        keys.add(acquire(1).tasks().get(0).taskKey());

        assertThat(keys).hasSize(4);
    }

    @Test
    void rescheduleWhenUnknownChangesNothing() {
        schedule("b", 1, now);

        assertThat(changesNothing(() -> reschedule("a", at(now)))).isEqualTo(RescheduleOutcome.NOT_FOUND);
    }
}
