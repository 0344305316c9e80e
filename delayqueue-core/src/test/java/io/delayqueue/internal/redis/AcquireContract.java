// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.TaskState;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.ShardStats;
import io.delayqueue.internal.store.StoredTask;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Acquiring: which tasks, in which order, how many, and the fate of expired leases. */
abstract class AcquireContract extends RedisStoreContract {

    AcquireContract(StoreServers servers) {
        super(servers);
    }

    @Test
    void acquireWhenShardIsEmptyFindsNothingAndWritesNothing() {
        Acquisition nothing = changesNothing(() -> acquire(10));

        assertThat(nothing.tasks()).isEmpty();
        assertThat(nothing.token()).isZero();
        assertThat(nothing.untilNext()).isNull();
        assertThat(kept.isEmpty()).isTrue();
    }

    @Test
    void acquireWhenNothingIsDueSaysHowLongToWait() {
        schedule("a", 1, now + 10 * MINUTE);

        Acquisition nothing = changesNothing(() -> acquire(10));

        assertThat(nothing.tasks()).isEmpty();
        assertThat(nothing.untilNext())
                .isEqualTo(Duration.ofNanos((now + 10 * MINUTE) * 1_000_000L - nothing.serverMicros() * 1000));
    }

    @Test
    void acquireWhenTasksAreDueLeasesThemUnderOneToken() {
        schedule("b", 1, now - MINUTE);
        schedule("a", 2, now - 2 * MINUTE);
        schedule("later", 3, now + MINUTE);

        Acquisition acquisition = acquire(10);

        long deadline = millis(acquisition) + LEASE.toMillis();
        assertThat(acquisition.token()).isEqualTo(acquisition.serverMicros() / 10);
        assertThat(acquisition.tasks()).extracting(AcquiredTask::id).containsExactly("a", "b");
        assertThat(acquisition.tasks())
                .extracting(AcquiredTask::dueAt)
                .containsExactly(Instant.ofEpochMilli(now - 2 * MINUTE), Instant.ofEpochMilli(now - MINUTE));
        assertThat(acquisition.tasks()).extracting(AcquiredTask::attempt).containsOnly(1);
        assertThat(acquisition.tasks().get(0).content())
                .usingRecursiveComparison()
                .isEqualTo(content("p2"));
        assertThat(state())
                .isEqualTo(new ShardState(
                        0,
                        Map.of("a", deadline, "b", deadline, "later", now + MINUTE),
                        Map.of(
                                "a", envelope('C', 2, "p2"),
                                "b", envelope('C', 1, "p1"),
                                "later", envelope('C', 3, "p3")),
                        Map.of(
                                "a", "1:" + lastToken + ":" + deadline + ":" + (now - 2 * MINUTE),
                                "b", "1:" + lastToken + ":" + deadline + ":" + (now - MINUTE)),
                        Map.of(),
                        Map.of(),
                        lastToken));
        assertThat(changesNothing(() -> acquire(10)).tasks()).isEmpty();
    }

    @Test
    void acquireWhenATaskIsDueInTheNextInstantsNeverTakesItEarly() {
        for (int round = 0; round < 200; round++) {
            long due = state().serverMillis() + 2;
            schedule("a" + round, round, due);
            Acquisition acquisition;
            do {
                acquisition = acquire(1);
                if (acquisition.tasks().isEmpty()) {
                    assertThat(millis(acquisition)).isLessThan(due);
                }
            } while (acquisition.tasks().isEmpty());
            assertThat(millis(acquisition)).isGreaterThanOrEqualTo(due);
        }
    }

    @Test
    void acquireWhenMoreAreDueThanTheLimitTakesTheEarliestAndAsksForMore() {
        for (int i = 0; i < 10; i++) {
            schedule("t" + i, i, now - MINUTE - (i * 7 % 10));
        }

        Acquisition acquisition = acquire(4);

        assertThat(acquisition.untilNext()).isZero();
        assertThat(acquisition.tasks())
                .extracting(task -> now - MINUTE - task.dueAt().toEpochMilli())
                .containsExactly(9L, 8L, 7L, 6L);
    }

    @Test
    void acquireWhenManyAreDueReturnsAllAcrossChunksInOrder() {
        for (int i = 0; i < 300; i++) {
            schedule("t" + i, i, now - 10 * MINUTE + i);
        }

        Acquisition acquisition = acquire(500);

        assertThat(acquisition.tasks())
                .hasSize(300)
                .isSortedAccordingTo((x, y) -> x.dueAt().compareTo(y.dueAt()));
        assertThat(acquisition.untilNext()).isEqualTo(LEASE.minusNanos(acquisition.serverMicros() % 1000 * 1000));
    }

    @Test
    void acquireWhenPayloadsExceedTheByteBudgetStopsAfterTheOneThatDid() {
        for (int i = 0; i < 5; i++) {
            schedule(task("t" + i, i, at(now - MINUTE + i), ConflictPolicy.REPLACE, "x".repeat(1000)));
        }

        Acquisition acquisition = get(store.leases().acquire(SHARD, Acquires.of(5, LEASE, MAX_EXPIRED, 1500, 500)));

        assertThat(acquisition.tasks()).extracting(AcquiredTask::id).containsExactly("t0", "t1");
        assertThat(acquisition.untilNext()).isZero();
        assertThat(get(store.leases().acquire(SHARD, Acquires.of(5, LEASE, MAX_EXPIRED, 1, 500)))
                        .tasks())
                .hasSize(1);
    }

    @Test
    void acquireWhenALeaseRanOutTakesTheTaskAgainAndCountsItApart() {
        schedule("a", 1, now - MINUTE);
        long first = lease("a");
        assertThat(acquire(1).tasks()).isEmpty();
        moveClock(LEASE.toMillis() + MINUTE);

        Acquisition second = acquire(1);

        assertThat(second.token()).isGreaterThan(first);
        assertThat(second.tasks()).hasSize(1);
        AcquiredTask task = second.tasks().get(0);
        assertThat(task.leaseExpiries()).isEqualTo(1);
        assertThat(task.failures()).isZero();
        assertThat(task.attempt()).isEqualTo(2);
        long due = now - LEASE.toMillis() - 2 * MINUTE;
        assertThat(task.dueAt().toEpochMilli()).isEqualTo(due);
        long deadline = millis(second) + LEASE.toMillis();
        assertThat(state())
                .isEqualTo(new ShardState(
                        0,
                        Map.of("a", deadline),
                        Map.of("a", envelope('C', 1, "p1")),
                        Map.of("a", "1:" + lastToken + ":" + deadline + ":" + due),
                        Map.of("a", "1:" + due + ":0:1:1:lease expired"),
                        Map.of(),
                        lastToken));
    }

    @Test
    void acquireWhenLeasesRanOutTooOftenMakesTheTaskDead() {
        schedule("a", 1, now);
        long due = now;
        for (int i = 0; i <= MAX_EXPIRED; i++) {
            moveClock(MINUTE);
            lease("a");
        }
        moveClock(MINUTE);

        Acquisition last = acquire(1);

        assertThat(last.tasks()).isEmpty();
        assertThat(last.dead()).containsExactly(Map.entry("a", "lease expired"));
        assertThat(last.untilNext()).isNull();
        assertThat(state())
                .isEqualTo(new ShardState(
                        0,
                        Map.of(),
                        Map.of("a", envelope('C', 1, "p1")),
                        Map.of(),
                        Map.of("a", "1:" + due + ":0:3:1:lease expired"),
                        Map.of("a", millis(last)),
                        lastToken));
        StoredTask dead = get(store.tasks().find(SHARD, "a")).orElseThrow();
        assertThat(dead.state()).isEqualTo(TaskState.DEAD);
        assertThat(dead.leaseExpiries()).isEqualTo(3);
        assertThat(dead.lastReason()).isEqualTo("lease expired");
        assertThat(dead.dueAt().toEpochMilli()).isEqualTo(due);
        assertThat(dead.nextAttentionAt().toEpochMilli()).isEqualTo(millis(last));
    }

    @Test
    void acquireWhenDeadAndTakenMixTakesTheRest() {
        schedule("a", 1, now - 3 * MINUTE);
        for (int i = 0; i <= MAX_EXPIRED; i++) {
            lease("a");
            moveClock(MINUTE);
        }
        schedule("b", 2, now - MINUTE);

        Acquisition acquisition = acquire(2);

        assertThat(acquisition.dead()).containsOnlyKeys("a");
        assertThat(acquisition.tasks()).extracting(AcquiredTask::id).containsExactly("b");
        assertThat(state().brokenInvariant()).isEmpty();
    }

    private Acquisition acquire(int limit, int maxSuspects) {
        return get(store.leases().acquire(SHARD, Acquires.of(limit, LEASE, MAX_EXPIRED, 1 << 20, maxSuspects)));
    }

    @Test
    void acquireWhenSuspectsAreLimitedPassesTheOthersOverAndTakesWhatIsBehindThem() {
        for (int i = 0; i < 3; i++) {
            schedule("suspect" + i, i, now - 10 * MINUTE + i);
        }
        acquire(10);
        moveClock(LEASE.toMillis() + MINUTE);
        for (int i = 0; i < 3; i++) {
            schedule("innocent" + i, i, now - MINUTE / 2 + i);
        }

        Acquisition acquisition = acquire(10, 1);

        assertThat(acquisition.tasks())
                .extracting(AcquiredTask::id)
                .containsExactly("suspect0", "innocent0", "innocent1", "innocent2");
        assertThat(acquisition.tasks()).extracting(AcquiredTask::isSuspect).containsExactly(true, false, false, false);
        assertThat(state().attempts()).containsOnlyKeys("suspect0");
        Acquisition none = changesNothing(() -> acquire(10, 0));
        assertThat(none.tasks()).isEmpty();
        assertThat(none.untilNext())
                .as("looking again at once would find the same")
                .isPositive();
        assertThat(acquire(10, 5).tasks()).extracting(AcquiredTask::id).containsExactly("suspect1", "suspect2");
    }

    @Test
    void acquireWhenASuspectWasGivenBackItStaysOne() {
        schedule("a", 1, now - MINUTE);
        lease("a");
        moveClock(LEASE.toMillis() + MINUTE);
        release("a", lease("a"));

        assertThat(changesNothing(() -> acquire(10, 0)).tasks()).isEmpty();
        assertThat(acquire(10, 1).tasks()).hasSize(1);
    }

    @Test
    void acquireWhenManySuspectsStandInFrontStillFindsTheTaskBehindThem() {
        for (int i = 0; i < 300; i++) {
            schedule("suspect" + i, i, now - 10 * MINUTE);
        }
        acquire(500);
        moveClock(LEASE.toMillis() + MINUTE);
        schedule("innocent", 1, now - 1);

        assertThat(acquire(1, 0).tasks()).extracting(AcquiredTask::id).containsExactly("innocent");
        assertThat(state().brokenInvariant()).isEmpty();
    }

    @Test
    void tokenWhenTheClockIsSetBackStillGrows() {
        schedule("a", 1, now - 60 * MINUTE);
        long before = lease("a");
        release("a", before);

        moveClock(-30 * MINUTE);

        assertThat(lease("a")).isGreaterThan(before);
    }

    @Test
    void tokenWhenTheClockSaysANonsensicalYearKeepsToTheLengthThatLeasesHave() {
        schedule("a", 1, now - MINUTE);
        clockOffset.set(253_000_000_000_000L - now);

        long token = lease("a");

        assertThat(Long.toString(token)).hasSize(15);
        assertThat(settle(Settlement.ack("a", token))).isTrue();
    }

    @Test
    void tokenWhenAcquiredAgainAlwaysGrows() {
        schedule("a", 1, now - MINUTE);
        long last = 0;
        for (int i = 0; i < 5; i++) {
            long token = lease("a");
            assertThat(token).isGreaterThan(last);
            release("a", token);
            last = token;
        }
    }

    @Test
    void statsWhenTasksAreInEveryStateCountsThem() {
        schedule("dead", 1, now - 4 * MINUTE);
        settle(io.delayqueue.internal.store.Settlement.dead("dead", lease("dead"), false, "r"));
        schedule("expired", 2, now - 3 * MINUTE);
        lease("expired");
        moveClock(2 * MINUTE);
        schedule("leased", 3, now - 10 * MINUTE);
        assertThat(acquire(1).tasks()).extracting(AcquiredTask::id).containsExactly("leased");
        schedule("due", 4, now - 1);
        schedule("waiting", 5, now + MINUTE);

        ShardStats stats = changesNothing(() -> get(store.shards().stats(SHARD)));

        Map<String, Long> index = new TreeMap<>(state().index());
        assertThat(stats)
                .isEqualTo(new ShardStats(
                        4, 0, 2, 2, 1, 0, Instant.ofEpochMilli(index.get("expired")), null, stats.now(), List.of()));
        assertThat(stats.now()).isBetween(Instant.ofEpochMilli(now), Instant.ofEpochMilli(now + MINUTE));

        ShardStats ahead = changesNothing(() -> get(store.shards()
                .stats(SHARD, List.of(Duration.ofSeconds(30), Duration.ofMinutes(2), Duration.ofHours(1)))));
        assertThat(ahead.dueWithin()).containsExactly(1L, 2L, 2L);
        assertThat(ahead.overdue())
                .isBetween(
                        Duration.ofMillis(now - index.get("expired")),
                        Duration.ofMillis(now - index.get("expired") + 2000));
        assertThat(get(store.tasks().find(SHARD, "leased")).orElseThrow().state())
                .isEqualTo(TaskState.LEASED);
        assertThat(get(store.tasks().find(SHARD, "expired")).orElseThrow().state())
                .isEqualTo(TaskState.LEASED);
        assertThat(get(store.tasks().find(SHARD, "due")).orElseThrow().state()).isEqualTo(TaskState.SCHEDULED);
        assertThat(get(store.tasks().find(SHARD, "absent"))).isEmpty();
    }

    @Test
    void statsWhenShardIsEmptyHasNoNextMoment() {
        ShardStats stats = get(store.shards().stats(SHARD));
        assertThat(stats).isEqualTo(new ShardStats(0, 0, 0, 0, 0, 0, null, null, stats.now(), List.of()));
        assertThat(stats.overdue()).isZero();
    }

    @Test
    void acquireWhenOverdueTasksArePacedGivesThemAtTheRateToAllWhoAsk() {
        for (int i = 0; i < 20; i++) {
            schedule("task" + i, i, now - MINUTE + i);
        }

        assertThat(acquire(10, 0.05).tasks()).extracting(AcquiredTask::id).containsExactly("task0");
        Acquisition tooSoon = changesNothing(() -> acquire(10, 0.05));
        assertThat(tooSoon.tasks()).isEmpty();
        assertThat(tooSoon.untilNext()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));

        moveClock(20_000);
        assertThat(acquire(10, 0.05).tasks()).extracting(AcquiredTask::id).containsExactly("task1");
        assertThat(acquire(10).tasks()).as("who asks without a pace").hasSize(10);
    }

    @Test
    void acquireWhenTasksAreOnTimeIsNotPaced() {
        for (int i = 0; i < 20; i++) {
            schedule("task" + i, i, now + MINUTE);
        }
        moveClock(MINUTE);

        assertThat(acquire(20, 0.05).tasks()).hasSize(20);
    }

    private Acquisition acquire(int limit, double catchUpPerSecond) {
        return get(store.leases()
                .acquire(SHARD, Acquires.of(limit, LEASE, MAX_EXPIRED, 1 << 20, limit, catchUpPerSecond)));
    }

    @Test
    void acquireWhenManyAreTakenKeepsTheirLeasesWhereEachIsFoundAtOnce() {
        for (int i = 0; i < 100; i++) {
            schedule("t" + i, 1, now - MINUTE);
        }

        assertThat(acquire(16).tasks()).hasSize(16);
        assertThat(redis.raw().objectEncoding(key("leases"))).isNotEqualTo("hashtable");
        assertThat(acquire(1).tasks()).hasSize(1);
        assertThat(redis.raw().objectEncoding(key("leases"))).isEqualTo("hashtable");
        assertThat(redis.raw().hlen(key("leases"))).isEqualTo(17);

        redis.raw().del(key("leases"));
        assertThat(acquire(50).tasks()).hasSize(50);
        assertThat(redis.raw().objectEncoding(key("leases"))).isEqualTo("hashtable");
        assertThat(redis.raw().hlen(key("leases"))).isEqualTo(50);
    }

    @Test
    void tokenWhenTheCounterIsLostGoesOnAboveThoseGivenBefore() {
        schedule("a", 1, now - MINUTE);
        long before = lease("a");
        release("a", before);

        redis.raw().del(key("token"));

        assertThat(lease("a")).isGreaterThan(before);
    }
}
