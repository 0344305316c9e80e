// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.TaskContent;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.StoredTask;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Scheduling: new ids, every conflict, and repeated requests. */
abstract class ScheduleContract extends StoreContract {

    /** The state of the id when another request for it arrives. */
    enum Held {
        NEW,
        WAITING,
        RETRY_WAITING,
        UNCERTAIN_RETRY_WAITING,
        LEASED,
        LEASED_AGAIN,
        EXPIRED,
        DEAD,
        UNCERTAIN_DEAD
    }

    /** When the held task is due. */
    long heldDue;

    ScheduleContract(ContractStore kept) {
        super(kept);
    }

    private void hold(Held held) {
        heldDue = now - 10 * MINUTE;
        if (held == Held.NEW) {
            return;
        }
        schedule("a", 1, heldDue);
        if (held == Held.WAITING) {
            return;
        }
        long token = lease("a");
        switch (held) {
            case RETRY_WAITING, UNCERTAIN_RETRY_WAITING, LEASED_AGAIN -> {
                boolean uncertain = held == Held.UNCERTAIN_RETRY_WAITING;
                settle(Settlement.retry("a", token, Duration.ofMinutes(30), true, uncertain, "failed"));
                if (held == Held.LEASED_AGAIN) {
                    moveClock(31 * MINUTE);
                    lease("a");
                }
            }
            case DEAD, UNCERTAIN_DEAD -> settle(Settlement.dead("a", token, held == Held.UNCERTAIN_DEAD, "hopeless"));
            case EXPIRED -> moveClock(LEASE.toMillis() + MINUTE);
            default -> {}
        }
    }

    /** The new task waits for the end of the lease that there was before. */
    private void assertWaits(ShardState before, long due) {
        String[] lease = before.leases().get("a").split(":");
        long leaseEnd = Long.parseLong(lease[2]);
        assertThat(state())
                .isEqualTo(new ShardState(
                        0,
                        Map.of("a", Math.max(due, leaseEnd)),
                        Map.of("a", envelope('F', 2, "new")),
                        Map.of("a", "1:" + lease[1] + "w:" + leaseEnd + ":" + due),
                        Map.of(),
                        Map.of(),
                        before.token()));
    }

    static Stream<Arguments> conflicts() {
        return Stream.of(ConflictPolicy.values())
                .flatMap(policy -> Stream.of(Held.values())
                        .flatMap(held -> Stream.of(-1, 0, 1)
                                .map(relation -> Arguments.of(policy, held, Integer.valueOf(relation)))));
    }

    @ParameterizedTest
    @MethodSource("conflicts")
    void scheduleWhenIdExistsFollowsThePolicy(ConflictPolicy policy, Held held, int relation) {
        hold(held);
        long due = heldDue + relation * MINUTE;
        ShardState before = state();

        ScheduleReply reply = schedule(task("a", 2, at(due), policy, "new"));

        boolean dead = held == Held.DEAD || held == Held.UNCERTAIN_DEAD;
        boolean kept = held != Held.NEW
                && switch (policy) {
                    case REPLACE, DEBOUNCE -> false;
                    case KEEP -> true;
                    case THROTTLE -> !dead;
                    case KEEP_EARLIER -> !dead && relation >= 0;
                    case KEEP_LATER -> !dead && relation <= 0;
                };
        if (kept) {
            assertThat(reply).isEqualTo(new ScheduleReply(ScheduleOutcome.KEPT, Instant.ofEpochMilli(heldDue)));
            assertThat(state()).isEqualTo(before);
            return;
        }
        ScheduleOutcome outcome = switch (held) {
            case NEW -> ScheduleOutcome.CREATED;
            case WAITING, RETRY_WAITING -> ScheduleOutcome.REPLACED;
            case DEAD, UNCERTAIN_DEAD -> ScheduleOutcome.REPLACED_DEAD;
            default -> ScheduleOutcome.REPLACED_IN_FLIGHT;
        };
        assertThat(reply).isEqualTo(new ScheduleReply(outcome, Instant.ofEpochMilli(due)));
        char code =
                dead ? 'D' : outcome == ScheduleOutcome.CREATED ? 'C' : outcome == ScheduleOutcome.REPLACED ? 'R' : 'F';
        if (held == Held.LEASED || held == Held.LEASED_AGAIN) {
            assertWaits(before, due);
            return;
        }
        Map<String, String> attempts = code == 'F' || held == Held.UNCERTAIN_DEAD
                ? Map.of("a", "1:" + due + ":0:0:1:an earlier delivery may still be in progress")
                : Map.of();
        assertThat(state())
                .isEqualTo(new ShardState(
                        0,
                        Map.of("a", due),
                        Map.of("a", envelope(code, 2, "new")),
                        Map.of(),
                        attempts,
                        Map.of(),
                        before.token()));
    }

    @ParameterizedTest
    @EnumSource(Held.class)
    void scheduleWhenTheSameRequestComesAgainAnswersAsBeforeAndChangesNothing(Held held) {
        if (held == Held.NEW) {
            return;
        }
        hold(held);

        for (ConflictPolicy policy : ConflictPolicy.values()) {
            ScheduleReply again = changesNothing(() -> schedule(task("a", 1, at(now + 7 * MINUTE), policy, "p1")));

            assertThat(again).isEqualTo(new ScheduleReply(ScheduleOutcome.CREATED, Instant.ofEpochMilli(heldDue)));
        }
    }

    @Test
    void scheduleWhenTheSameRequestComesAgainAfterAMoveNamesTheNewDueTime() {
        schedule("a", 1, now + MINUTE);
        reschedule("a", at(now + 5 * MINUTE));

        ScheduleReply again = changesNothing(() -> schedule("a", 1, now + MINUTE));

        assertThat(again).isEqualTo(new ScheduleReply(ScheduleOutcome.CREATED, Instant.ofEpochMilli(now + 5 * MINUTE)));
    }

    @Test
    void scheduleWhenTheRequestThatReplacedComesAgainAnswersReplaced() {
        schedule("a", 1, now - MINUTE);
        lease("a");
        schedule("a", 2, now + MINUTE);

        ScheduleReply again = changesNothing(() -> schedule("a", 2, now + MINUTE));

        assertThat(again)
                .isEqualTo(new ScheduleReply(ScheduleOutcome.REPLACED_IN_FLIGHT, Instant.ofEpochMilli(now + MINUTE)));
    }

    @Test
    void callsAfterAReplacementDuringADeliverySayThatOneMayBeUnderWay() {
        schedule("a", 1, now - MINUTE);
        lease("a");
        schedule("a", 2, now + MINUTE);

        assertThat(schedule("a", 3, now + MINUTE).outcome()).isEqualTo(ScheduleOutcome.REPLACED_IN_FLIGHT);
        assertThat(reschedule("a", at(now + 2 * MINUTE))).isEqualTo(RescheduleOutcome.IN_FLIGHT);
        assertThat(cancel("a")).isEqualTo(CancelOutcome.IN_FLIGHT);
        assertThat(state().attempts()).isEmpty();
    }

    @Test
    void scheduleWhenRelativeAddsTheDelayToTheServersClock() {
        clockOffset.set(-3 * 60 * MINUTE);
        long before = state().serverMillis() + clockOffset.get();

        ScheduleReply reply = schedule(task("a", 1, Due.after(Duration.ofHours(1)), ConflictPolicy.REPLACE, "p1"));

        long after = state().serverMillis() + clockOffset.get();
        assertThat(reply.dueAt().toEpochMilli()).isBetween(before + 60 * MINUTE, after + 60 * MINUTE + 1);
        assertThat(state().index()).containsExactly(Map.entry("a", reply.dueAt().toEpochMilli()));
    }

    @Test
    void callsWhenTheyNameADelayAreNotDueAMicrosecondEarlier() {
        for (int i = 0; i < 20; i++) {
            long before = serverMicros();
            long due = schedule(task("a", i, Due.after(Duration.ofMinutes(1)), ConflictPolicy.REPLACE, "p"))
                    .dueAt()
                    .toEpochMilli();
            assertThat(due * 1000).isGreaterThanOrEqualTo(before + 60_000_000);

            before = serverMicros();
            reschedule("a", Due.after(Duration.ofMinutes(2)));
            assertThat(state().index().get("a") * 1000).isGreaterThanOrEqualTo(before + 120_000_000);

            schedule("b", i, now - MINUTE);
            long token = lease("b");
            before = serverMicros();
            settle(Settlement.retry("b", token, Duration.ofSeconds(3).plusNanos(1000), true, false, "r"));
            assertThat(state().index().get("b") * 1000).isGreaterThanOrEqualTo(before + 3_000_001);
        }
    }

    private long serverMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, kept.clock());
    }

    @Test
    void scheduleWhenRelativeRequestComesAgainLaterKeepsTheFirstDueTime() {
        NewTask task = task("a", 1, Due.after(Duration.ofHours(1)), ConflictPolicy.REPLACE, "p1");
        ScheduleReply first = schedule(task);
        moveClock(10 * MINUTE);

        assertThat(changesNothing(() -> schedule(task))).isEqualTo(first);
    }

    @Test
    void scheduleWhenADelayReachesBeyondTheYear9999StoresNothing() {
        NewTask good = task("a", 1, at(now), ConflictPolicy.REPLACE, "p1");
        NewTask late = task("b", 2, new Due(true, Due.MAX_EPOCH_MILLIS - MINUTE), ConflictPolicy.REPLACE, "p2");

        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> changesNothing(() -> get(StoreCalls.schedule(store, SHARD, List.of(good, late)))));
        assertThat(state().tasks()).isEmpty();
    }

    @Test
    void scheduleWhenDueInTheLastMillisecondOfTheYear9999KeepsItExactly() {
        schedule("a", 1, Due.MAX_EPOCH_MILLIS);

        assertThat(state().index()).containsEntry("a", Due.MAX_EPOCH_MILLIS);
        assertThat(get(store.tasks().find(SHARD, "a")).orElseThrow().dueAt())
                .isEqualTo(Instant.parse("9999-12-31T23:59:59.999Z"));
        assertThat(acquire(1).untilNext()).isBetween(Duration.ofDays(2_900_000), Duration.ofDays(2_920_000));
        assertThat(get(store.shards().stats(SHARD)).nextAttention())
                .isEqualTo(Instant.parse("9999-12-31T23:59:59.999Z"));
    }

    @Test
    void scheduleWhenABatchOf500MixesOutcomesAnswersInOrder() {
        schedule("t007", 1, now + MINUTE);
        List<NewTask> batch = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            ConflictPolicy policy = i == 7 ? ConflictPolicy.KEEP : ConflictPolicy.REPLACE;
            batch.add(task("t%03d".formatted(i), 1000 + i, at(now + i), policy, "p" + i));
        }

        List<ScheduleReply> replies = get(StoreCalls.schedule(store, SHARD, batch));

        assertThat(replies).hasSize(500);
        for (int i = 0; i < 500; i++) {
            assertThat(replies.get(i))
                    .isEqualTo(
                            i == 7
                                    ? new ScheduleReply(ScheduleOutcome.KEPT, Instant.ofEpochMilli(now + MINUTE))
                                    : new ScheduleReply(ScheduleOutcome.CREATED, Instant.ofEpochMilli(now + i)));
        }
        assertThat(state().brokenInvariant()).isEmpty();
        assertThat(state().index()).hasSize(500);
    }

    @Test
    void everyCallWhenABatchHas500WorksOnIdsOf256Characters() {
        List<NewTask> batch = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            batch.add(
                    task("%03d".formatted(i) + "x".repeat(253), i, at(now - MINUTE), ConflictPolicy.REPLACE, "p" + i));
        }
        get(StoreCalls.schedule(store, SHARD, batch));
        get(StoreCalls.schedule(store, SHARD, batch));
        var first = acquire(500);
        assertThat(first.tasks()).hasSize(500);
        assertThat(get(store.leases()
                        .settle(
                                SHARD,
                                first.tasks().stream()
                                        .map(t -> Settlement.release(t.id(), first.token()))
                                        .toList())))
                .hasSize(500)
                .containsOnly(true);
        var second = get(store.leases().acquire(SHARD, Acquires.of(500, LEASE, MAX_EXPIRED, 1 << 20, 500)));
        assertThat(second.tasks()).hasSize(500);
        moveClock(LEASE.toMillis() + MINUTE);
        var third = acquire(500);
        assertThat(third.tasks()).hasSize(500).allMatch(t -> t.leaseExpiries() == 1);
        assertThat(get(store.leases()
                        .settle(
                                SHARD,
                                third.tasks().stream()
                                        .map(t ->
                                                Settlement.retry(t.id(), third.token(), Duration.ZERO, true, true, "r"))
                                        .toList())))
                .hasSize(500)
                .containsOnly(true);
        moveClock(MINUTE);
        var fourth = acquire(500);
        assertThat(get(store.leases()
                        .settle(
                                SHARD,
                                fourth.tasks().stream()
                                        .map(t -> Settlement.dead(t.id(), fourth.token(), false, "r"))
                                        .toList())))
                .hasSize(500)
                .containsOnly(true);
        ShardState end = state();
        assertThat(end.brokenInvariant()).isEmpty();
        assertThat(end.dead()).hasSize(500);
        assertThat(end.attempts()).hasSize(500);
        assertThat(end.leases()).isEmpty();
        assertThat(end.index()).isEmpty();
    }

    @Test
    void findWhenScheduledWithHeadersGivesBackWhatWasStored() {
        TaskContent content = new TaskContent("x/y", Map.of("k", "v\u00e4"), new byte[] {0, -1, 13, 10});
        schedule(new NewTask("a", requestId(1), at(now), ConflictPolicy.REPLACE, content, 0));

        StoredTask found = get(store.tasks().find(SHARD, "a")).orElseThrow();

        assertThat(found.content()).usingRecursiveComparison().isEqualTo(content);
    }
}
