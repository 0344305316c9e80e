// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.admin.PurgeResult;
import io.delayqueue.admin.QueuePause;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.LeaseRef;
import io.delayqueue.internal.store.Renewal;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Pausing, resuming and purging a shard. */
abstract class PauseContract extends StoreContract {

    PauseContract(ContractStore kept) {
        super(kept);
    }

    @Test
    void pauseWhenCalledStopsEveryStoreFromAcquiringUntilResumed() {
        schedule("a", 1, now - MINUTE);
        TaskStore otherProcess = process();

        assertThat(get(otherProcess.shards().pause(SHARD))).isTrue();

        Acquisition nothing = changesNothing(() -> acquire(10));
        assertThat(nothing.tasks()).isEmpty();
        assertThat(nothing.token()).isZero();
        assertThat(nothing.untilNext()).isNull();
        assertThat(get(store.shards().stats(SHARD)).paused()).isTrue();
        assertThat(get(store.shards().stats(SHARD)).due()).isEqualTo(1);
        assertThat(get(store.shards().resume(SHARD))).isTrue();
        assertThat(get(store.shards().stats(SHARD)).paused()).isFalse();
        assertThat(acquire(10).tasks()).hasSize(1);
    }

    @Test
    void pauseWhenRepeatedKeepsSinceWhen() {
        long before = state().serverMillis();
        get(store.shards().pause(SHARD));
        long since = Long.parseLong(state().paused().substring(2));
        assertThat(state().paused()).startsWith("1:");
        assertThat(since).isBetween(before, state().serverMillis());
        moveClock(MINUTE);

        assertThat(changesNothing(() -> get(store.shards().pause(SHARD)))).isFalse();

        assertThat(get(store.shards().resume(SHARD))).isTrue();
        assertThat(changesNothing(() -> get(store.shards().resume(SHARD)))).isFalse();
        assertThat(kept.isEmpty()).isTrue();
    }

    @Test
    void pauseWhenItWouldEndInThePastIsNone() {
        Due past = Due.at(Instant.ofEpochMilli(state().serverMillis() - 1));

        assertThat(changesNothing(() -> get(store.shards().pause(SHARD, past, "ada", ""))))
                .isFalse();
    }

    @Test
    void pauseWhenItsTimeIsOverEndsWithoutAnyCall() {
        schedule("a", 1, now - MINUTE);
        get(store.shards().pause(SHARD, Due.after(Duration.ofMillis(5 * MINUTE)), "ada", "deploy: new\nshop"));

        Acquisition nothing = changesNothing(() -> acquire(10));
        assertThat(nothing.tasks()).isEmpty();
        assertThat(nothing.untilNext()).isBetween(Duration.ofMillis(4 * MINUTE), Duration.ofMillis(5 * MINUTE + 1));
        QueuePause pause = get(store.shards().stats(SHARD)).pause();
        assertThat(pause.until()).isEqualTo(pause.since().plusMillis(5 * MINUTE + 1));
        assertThat(pause.by()).isEqualTo("ada");
        assertThat(pause.reason()).startsWith("deploy: new").endsWith("shop").doesNotContain("\n");

        moveClock(5 * MINUTE + 1000);
        assertThat(get(store.shards().stats(SHARD)).paused()).isFalse();
        assertThat(acquire(10).tasks()).hasSize(1);
        assertThat(get(store.shards().resume(SHARD))).isFalse();
        assertThat(get(store.shards().pause(SHARD))).isTrue();
    }

    @Test
    void pauseWhenPausedAlreadyHasAnotherEndAndReasonAndTheSameStart() {
        get(store.shards().pause(SHARD));
        QueuePause first = get(store.shards().stats(SHARD)).pause();
        moveClock(MINUTE);

        Due until = at(now + 10 * MINUTE);
        assertThat(get(store.shards().pause(SHARD, until, "", "more time"))).isFalse();

        assertThat(get(store.shards().stats(SHARD)).pause())
                .isEqualTo(new QueuePause(first.since(), Instant.ofEpochMilli(until.millis()), "", "more time"));
        assertThat(changesNothing(() -> get(store.shards().pause(SHARD, until, "", "more time"))))
                .isFalse();
        get(store.shards().pause(SHARD, null, "eve", ""));
        assertThat(get(store.shards().stats(SHARD)).pause()).isEqualTo(new QueuePause(first.since(), null, "eve", ""));
    }

    /** A caller that pauses without an end, before a migration for example, must be able to rely on it. */
    @Test
    void pauseWhenPausedAlreadyAndNothingIsSaidRemovesTheEndAndKeepsTheReason() {
        get(store.shards().pause(SHARD, Due.after(Duration.ofMinutes(10)), "ada", "deploy"));

        get(store.shards().pause(SHARD));

        QueuePause pause = get(store.shards().stats(SHARD)).pause();
        assertThat(pause.until()).isNull();
        assertThat(pause.by()).isEqualTo("ada");
        assertThat(pause.reason()).isEqualTo("deploy");
        moveClock(20 * MINUTE);
        assertThat(get(store.shards().stats(SHARD)).paused()).isTrue();
        assertThat(changesNothing(() -> get(store.shards().pause(SHARD)))).isFalse();
    }

    @Test
    void everyOtherCallWhenPausedWorks() {
        for (String id : List.of("acked", "retried", "renewed", "released", "rescheduled", "cancelled")) {
            schedule(id, 1, now - MINUTE);
        }
        long token = acquire(10).token();
        get(store.shards().pause(SHARD));

        schedule("new", 2, now);
        assertThat(settle(Settlement.ack("acked", token))).isTrue();
        assertThat(settle(Settlement.retry("retried", token, Duration.ZERO, true, false, "r")))
                .isTrue();
        assertThat(get(store.leases().renew(SHARD, List.of(new LeaseRef("renewed", token)), LEASE)))
                .containsExactly(Renewal.HELD);
        assertThat(release("released", token)).isTrue();
        assertThat(reschedule("rescheduled", at(now))).isEqualTo(RescheduleOutcome.IN_FLIGHT);
        assertThat(cancel("cancelled")).isEqualTo(CancelOutcome.IN_FLIGHT);
        assertThat(state().brokenInvariant()).isEmpty();
        moveClock(LEASE.toMillis() + MINUTE);
        assertThat(acquire(10).tasks()).isEmpty();
        get(store.shards().resume(SHARD));
        assertThat(acquire(10).tasks()).hasSize(5);
    }

    @Test
    void purgeWhenTasksAreInEveryStateDeletesThemAndLeavesTokenAndPause() {
        schedule("dead", 1, now - MINUTE);
        settle(Settlement.dead("dead", lease("dead"), true, "r"));
        schedule("leased", 2, now - MINUTE);
        long token = lease("leased");
        schedule("waiting", 3, now + MINUTE);
        get(store.shards().pause(SHARD));
        String paused = state().paused();

        assertThat(get(store.shards().purge(SHARD, 10))).isEqualTo(new PurgeResult(2, 1, 1, 0));

        assertThat(state())
                .isEqualTo(new ShardState(
                        0, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), Long.toString(token), paused));
        assertThat(changesNothing(() -> settle(Settlement.ack("leased", token))))
                .isFalse();
        assertThat(changesNothing(() -> get(store.shards().purge(SHARD, 10)))).isEqualTo(new PurgeResult(0, 0, 0, 0));
    }

    @Test
    void purgeWhenMoreIsThereThanTheLimitDeletesThatManyAndSaysWhatIsLeft() {
        for (int i = 0; i < 5; i++) {
            schedule("dead" + i, i, now - MINUTE);
        }
        long token = acquire(10).token();
        for (int i = 0; i < 5; i++) {
            settle(Settlement.dead("dead" + i, token, true, "r"));
        }
        for (int i = 0; i < 7; i++) {
            schedule("live" + i, i, now + MINUTE);
        }

        assertThat(get(store.shards().purge(SHARD, 6))).isEqualTo(new PurgeResult(6, 0, 0, 6));
        assertThat(state().brokenInvariant()).isEmpty();
        assertThat(get(store.shards().purge(SHARD, 3))).isEqualTo(new PurgeResult(1, 0, 2, 3));
        assertThat(state().brokenInvariant()).isEmpty();
        assertThat(get(store.shards().purge(SHARD, 6))).isEqualTo(new PurgeResult(0, 0, 3, 0));
        assertThat(state().tasks()).isEmpty();
        assertThat(state().attempts()).isEmpty();
    }

    @Test
    void purgeWhenOthersScheduleAcquireAndSettleLeavesTheInvariants() {
        AtomicBoolean stop = new AtomicBoolean();
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> {
            for (int i = 0; !stop.get(); i++) {
                schedule("t" + i % 200, i % 100, now - MINUTE); // not more and more of them
                Acquisition acquisition = acquire(3);
                acquisition
                        .tasks()
                        .forEach(task -> settle(
                                task.id().hashCode() % 2 == 0
                                        ? Settlement.dead(task.id(), acquisition.token(), true, "r")
                                        : Settlement.retry(
                                                task.id(), acquisition.token(), Duration.ofHours(1), true, true, "r")));
            }
        });
        int deleted = 0;
        for (int i = 0; i < 300 || (deleted < 100 && !load.isDone()); i++) {
            PurgeResult purged = get(store.shards().purge(SHARD, 2));
            deleted += purged.live() + purged.dead();
            assertThat(state().brokenInvariant()).isEmpty();
        }
        stop.set(true);
        get(load);

        assertThat(deleted).isPositive();
        assertThat(state().brokenInvariant()).isEmpty();
        PurgeResult last;
        do {
            last = get(store.shards().purge(SHARD, TaskStore.MAX_BATCH));
        } while (last.left() > 0);
        assertThat(state().tasks()).isEmpty();
    }
}
