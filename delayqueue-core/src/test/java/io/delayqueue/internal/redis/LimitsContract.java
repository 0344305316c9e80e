// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskState;
import io.delayqueue.admin.KeyLimits;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.Expiry;
import io.delayqueue.internal.store.GroupChange;
import io.delayqueue.internal.store.GroupPosition;
import io.delayqueue.internal.store.KeyLimitsChange;
import io.delayqueue.internal.store.KeyLimitsPage;
import io.delayqueue.internal.store.MigrationHold;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Position;
import io.delayqueue.internal.store.RateTokens;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.ShardStats;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.StoredKeyLimits;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TestStores;
import io.lettuce.core.api.sync.RedisServerCommands;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Acquires with limits of keys. Time stands still until a test moves it. */
abstract class LimitsContract extends RedisStoreContract {

    private static final Instant BEGIN = Instant.parse("2042-05-17T09:30:00Z");
    private static final Pattern COMMANDS = Pattern.compile("cmdstat_(?!info|config)[^:]*:calls=(\\d+)");
    private static final KeyLimits FIVE_A_SECOND = limits(200_000, 0);
    private static final KeyLimits ONE_AT_A_TIME = KeyLimits.NONE.withConcurrency(1);

    private Instant still = BEGIN;
    private int requests;

    LimitsContract(StoreServers servers) {
        super(servers);
    }

    @BeforeEach
    void standStill() {
        still = BEGIN;
        store = TestStores.of(
                redis.connections(), new RedisKeys("dq"), TestRedis.TIMEOUT, ContractStore::historyLength, () -> still);
    }

    private static KeyLimits limits(long intervalMicros, int concurrency) {
        return new KeyLimits(
                intervalMicros == 0 ? Optional.empty() : Optional.of(Duration.of(intervalMicros, ChronoUnit.MICROS)),
                OptionalInt.empty(),
                concurrency == 0 ? OptionalInt.empty() : OptionalInt.of(concurrency));
    }

    private static String of(String key, String id) {
        return TaskIds.of(key, null, id);
    }

    private void put(String id, long dueMillisFromBegin) {
        schedule(id, ++requests, BEGIN.toEpochMilli() + dueMillisFromBegin);
    }

    private Acquisition take(KeyLimits limits, int limit) {
        return noted(get(
                store.leases().acquireLimited(SHARD, Acquires.of(limit, LEASE, MAX_EXPIRED, 1 << 20, limit), limits)));
    }

    private List<String> ids(Acquisition acquisition) {
        return acquisition.tasks().stream().map(AcquiredTask::id).toList();
    }

    private void done(Acquisition acquisition) {
        get(store.leases()
                .settle(
                        SHARD,
                        ids(acquisition).stream()
                                .map(id -> Settlement.ack(id, acquisition.token()))
                                .toList()));
    }

    private void move(long millis) {
        still = still.plusMillis(millis);
    }

    private ShardStats stats() {
        return get(store.shards().stats(SHARD));
    }

    private StoredTask found(String id) {
        return get(store.tasks().find(SHARD, ShardingVersion.NONE, id)).orElseThrow();
    }

    private long waiting() {
        return redis.raw().zcard(key("waiting"));
    }

    @Test
    void acquireWhenAKeyIsOverItsRateSpacesItsTasksEvenlyAndHoldsUpNoOther() {
        for (int i = 0; i < 11; i++) {
            put(of("big", "t%02d".formatted(i)), -1000 + i);
        }
        put(of("small", "a"), -10);
        put("plain", -5);

        Acquisition first = take(FIVE_A_SECOND, 100);

        assertThat(ids(first)).containsExactly("{big}:t00", "{small}:a", "plain");
        assertThat(first.untilNext()).isNull();
        assertThat(stats().heldBack()).isEqualTo(10);
        assertThat(stats().due()).isZero();
        assertThat(stats().nextAttention()).isEqualTo(BEGIN.plusMillis(200));
        assertThat(found("{big}:t07").dueAt()).isEqualTo(BEGIN.minusMillis(993));
        assertThat(found("{big}:t07").nextAttentionAt())
                .as("the turn of its key")
                .isEqualTo(BEGIN.plusMillis(200));
        assertThat(found("{big}:t07").state()).isEqualTo(TaskState.SCHEDULED);
        List<Long> moments = new ArrayList<>();
        List<String> order = new ArrayList<>();
        for (int tenth = 1; tenth <= 2500; tenth++) {
            move(1);
            Acquisition next = take(FIVE_A_SECOND, 100);
            next.tasks()
                    .forEach(task -> moments.add(Duration.between(BEGIN, still).toMillis()));
            next.tasks().forEach(task -> assertThat(task.attempt()).isEqualTo(1));
            order.addAll(ids(next));
        }
        assertThat(moments).containsExactly(200L, 400L, 600L, 800L, 1000L, 1200L, 1400L, 1600L, 1800L, 2000L);
        assertThat(order).isSorted().hasSize(10).allMatch(id -> id.startsWith("{big}:t"));
        assertThat(waiting()).isZero();
        assertThat(redis.raw().zcard(key("turns"))).isZero();
    }

    @Test
    void acquireWhenARateIsHighGivesATenthOfASecondAtOnce() {
        for (int i = 0; i < 300; i++) {
            put(of("k", "t" + i), -1);
        }
        KeyLimits hundredASecond = limits(10_000, 0);

        int taken = 0;
        for (int moment = 0; moment < 1000; moment += 70) {
            taken += take(hundredASecond, 500).tasks().size();
            move(70);
        }
        assertThat(taken).isBetween(95, 110);
    }

    @Test
    void acquireWhenARateHasABurstGivesThatManyAtOnceAfterAPauseAndThenTheRate() {
        putMany("k", 40);
        KeyLimits bursts = FIVE_A_SECOND.withBurst(10);

        assertThat(take(bursts, 100).tasks()).hasSize(10);
        assertThat(found("{k}:t010").nextAttentionAt()).isEqualTo(BEGIN.plusMillis(200));
        assertThat(takenWithin(bursts, 1000)).isEqualTo(4);
        move(1400);
        assertThat(take(bursts, 100).tasks()).as("of 1.6 s").hasSize(8);
        move(60_000);
        assertThat(take(bursts, 100).tasks()).as("never more than the burst").hasSize(10);
        move(60_000);
        assertThat(take(KeyLimits.rate(1000, Duration.ofSeconds(1)).withBurst(1), 100)
                        .tasks())
                .as("evenly, at a high rate")
                .hasSize(1);
    }

    @Test
    void keyLimitsWhenTheirRateHasABurstReplaceThatOfTheCaller() {
        putMany("own", 30);
        putMany("even", 30);
        putMany("others", 30);
        change("own", KeyLimitsChange.set(FIVE_A_SECOND.withBurst(4)));
        change("even", KeyLimitsChange.set(FIVE_A_SECOND));
        assertThat(change("own", KeyLimitsChange.READ).limits()).isEqualTo(FIVE_A_SECOND.withBurst(4));

        assertThat(take(FIVE_A_SECOND.withBurst(10), 100).tasks())
                .extracting(task -> TaskIds.keyOf(task.id()).orElseThrow())
                .hasSize(15)
                .filteredOn("own"::equals)
                .hasSize(4);
    }

    @Test
    void acquireWhenTheFirstTaskOrTurnHasPassedSaysForHowLong() {
        assertThat(take(FIVE_A_SECOND, 10).late()).as("an empty shard").isZero();
        put("plain", -1500);
        assertThat(acquire(10).late()).isEqualTo(Duration.ofMillis(1500));
        putMany("k", 3);
        assertThat(take(FIVE_A_SECOND, 10).late()).isEqualTo(Duration.ofMillis(1000));
        move(100);
        assertThat(take(FIVE_A_SECOND, 10).late())
                .as("its tasks are old, but their turn has not come")
                .isZero();
        move(1600);
        assertThat(take(FIVE_A_SECOND, 10).late()).isEqualTo(Duration.ofMillis(1500));
    }

    @Test
    void acquireWhenAKeyHasItsConcurrencyTakesItsTasksOneAfterTheOtherInOrderOfDueTime() {
        put(of("k", "c"), -1);
        put(of("k", "b"), -2);
        put(of("k", "a"), -3);
        put("plain", -1);

        Acquisition first = take(ONE_AT_A_TIME, 10);
        assertThat(ids(first)).containsExactlyInAnyOrder("{k}:a", "plain");
        put(of("k", "late"), -4);
        assertThat(ids(take(ONE_AT_A_TIME, 10))).isEmpty();
        assertThat(stats().heldBack()).isEqualTo(3);

        done(first);
        Acquisition second = take(ONE_AT_A_TIME, 10);
        assertThat(ids(second)).containsExactly("{k}:late");
        done(second);
        Acquisition third = take(ONE_AT_A_TIME, 10);
        assertThat(ids(third)).containsExactly("{k}:b");
        done(third);
        Acquisition last = take(ONE_AT_A_TIME, 10);
        assertThat(ids(last)).containsExactly("{k}:c");
        done(last);
        assertThat(redis.raw().exists(key("waiting"), key("turns"), key("running")))
                .isZero();
    }

    @Test
    void scheduleWhenItReplacesATaskThatWaitsForItsKeyIsDelivered() {
        put(of("k", "a"), -5);
        put(of("k", "b"), -3);
        put(of("k", "c"), -2);
        Acquisition first = take(ONE_AT_A_TIME, 10);
        assertThat(ids(first)).containsExactly("{k}:a");

        put(of("k", "b"), -3); // is due at the same time as the waiting one
        done(first);
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Acquisition next = take(ONE_AT_A_TIME, 10);
            order.addAll(ids(next));
            done(next);
        }

        assertThat(order).containsExactlyInAnyOrder("{k}:b", "{k}:c");
        assertThat(redis.raw().exists(key("waiting"), key("turns"), key("running")))
                .isZero();
    }

    @Test
    void acquireWhenADeliveryIsLostGivesItsPlaceToTheNextWhenTheLeaseEnds() {
        put(of("k", "a"), -3);
        put(of("k", "b"), -2);
        put(of("k", "c"), -1);
        assertThat(ids(take(ONE_AT_A_TIME, 10))).containsExactly("{k}:a");
        assertThat(stats().nextAttention()).isEqualTo(BEGIN.plus(LEASE));

        move(LEASE.toMillis() - 1);
        assertThat(ids(take(ONE_AT_A_TIME, 10))).isEmpty();
        move(1);
        Acquisition next = take(ONE_AT_A_TIME, 10);
        assertThat(ids(next)).containsExactly("{k}:b");
        assertThat(found("{k}:a").state()).isEqualTo(TaskState.SCHEDULED);
        assertThat(found("{k}:a").leaseExpiries()).isEqualTo(1);
        assertThat(found("{k}:a").dueAt()).isEqualTo(BEGIN.minusMillis(3));
        done(next);
        Acquisition third = take(ONE_AT_A_TIME, 10);
        assertThat(ids(third)).containsExactly("{k}:c");
        done(third);
        assertThat(ids(take(ONE_AT_A_TIME, 10))).containsExactly("{k}:a");
    }

    @Test
    void acquireWhenARunningTaskIsCancelledOrReleasedGivesItsPlaceToTheNext() {
        put(of("k", "a"), -3);
        put(of("k", "b"), -2);
        put(of("k", "c"), -1);
        Acquisition first = take(ONE_AT_A_TIME, 10);
        assertThat(cancel("{k}:a")).isEqualTo(CancelOutcome.IN_FLIGHT);
        done(first);
        Acquisition second = take(ONE_AT_A_TIME, 10);
        assertThat(ids(second)).containsExactly("{k}:b");

        release("{k}:b", second.token());
        List<String> taken = new ArrayList<>(ids(take(ONE_AT_A_TIME, 10)));
        taken.addAll(ids(take(ONE_AT_A_TIME, 10)));
        assertThat(taken).hasSize(1).containsAnyOf("{k}:b", "{k}:c");
    }

    @Test
    void releaseWhenTheTaskWasCancelledGivesItsPlaceToTheNext() {
        put(of("k", "a"), -3);
        put(of("k", "b"), -2);
        Acquisition first = take(ONE_AT_A_TIME, 10);
        assertThat(cancel("{k}:a")).isEqualTo(CancelOutcome.IN_FLIGHT);
        release("{k}:a", first.token());

        assertThat(ids(take(ONE_AT_A_TIME, 10))).containsExactly("{k}:b");
    }

    @Test
    void settleWhenATaskWasAcquiredAgainKeepsItsPlace() {
        put(of("k", "a"), -3);
        Acquisition first = take(ONE_AT_A_TIME, 10);
        move(LEASE.toMillis());
        assertThat(ids(take(ONE_AT_A_TIME, 10))).containsExactly("{k}:a");
        put(of("k", "b"), -2);

        done(first);

        assertThat(ids(take(ONE_AT_A_TIME, 10))).isEmpty();
    }

    @Test
    void settleWhenOnlyAnotherProcessLimitsTheConcurrencyLetsTheNextTaskOfTheKeyGo() {
        putMany("k", 3);
        Acquisition first = take(limits(200_000, 1), 10);
        assertThat(ids(first)).containsExactly("{k}:t000");
        move(200);
        assertThat(ids(take(limits(200_000, 1), 10))).isEmpty();

        done(first);

        assertThat(ids(take(FIVE_A_SECOND, 10))).containsExactly("{k}:t001");
    }

    @Test
    void settleWhenItsIdIsPartOfOthersFreesOnePlace() {
        for (String id : List.of("aa", "a", "aaa", "b", "c")) {
            put(of("k", id), -100 + id.charAt(0) - 'a' + id.length() % 2);
        }
        KeyLimits three = limits(0, 3);
        Acquisition first = take(three, 10);
        assertThat(ids(first)).containsExactlyInAnyOrder("{k}:aa", "{k}:a", "{k}:aaa");
        assertThat(stats().heldBack()).isEqualTo(2);

        settle(Settlement.ack("{k}:a", first.token()));

        assertThat(take(three, 10).tasks()).hasSize(1);
    }

    /** One command for each key or task would halve the throughput. */
    @Test
    void acquireAndSettleWhenNoTaskWaitsSendNoCommandForAKey() {
        for (int i = 0; i < 200; i++) {
            put(of("k" + i, "a"), -1);
            put(of("k" + i, "b"), -1);
        }
        redis.everyNode(RedisServerCommands::configResetstat);

        done(take(limits(200_000, 5).withBurst(5), 400));

        AtomicLong commands = new AtomicLong();
        redis.everyNode(node -> COMMANDS.matcher(node.info("commandstats"))
                .results()
                .forEach(calls -> commands.addAndGet(Long.parseLong(calls.group(1)))));
        assertThat(stats().live()).isZero();
        assertThat(commands).hasValueLessThan(100);
        assertThat(redis.raw().exists(key("running"))).isZero();
    }

    @Test
    void stateOfAKeyTakesFewBytesAndDisappearsWithItsTasks() {
        for (int i = 0; i < 500; i++) {
            put(of("clinic-%04d".formatted(i), "t"), -1);
        }
        Acquisition all = take(limits(200_000, 2), 500);

        assertThat(redis.raw().memoryUsage(key("tat"))).isLessThan(500 * 128);
        assertThat(redis.raw().memoryUsage(key("running"))).isLessThan(500 * 128);

        done(all);
        assertThat(redis.raw().exists(key("running"))).isZero();
        for (int round = 0; round < 100; round++) {
            move(1000);
            take(FIVE_A_SECOND, 1);
        }
        assertThat(redis.raw().exists(key("tat"))).isZero();
    }

    @Test
    void runningWhenLostProcessesHaveLeftKeysBehindShrinks() {
        for (int i = 0; i < 500; i++) {
            put(of("k" + i, "t"), -1000);
        }
        take(ONE_AT_A_TIME, 500);
        for (int i = 0; i < 500; i++) {
            assertThat(cancel(of("k" + i, "t"))).isEqualTo(CancelOutcome.IN_FLIGHT);
        }
        assertThat(redis.raw().hlen(key("running"))).isEqualTo(500);

        put("plain", 60_000);
        for (int round = 0; round < 200; round++) {
            put(of("other", "t" + round), -1);
            done(take(ONE_AT_A_TIME, 10));
        }

        assertThat(redis.raw().hlen(key("running"))).isLessThan(50);
    }

    @Test
    void callsWhenTheyExpectATimeOfAHeldBackTaskTakeItsOwnAndThatOfItsTurn() {
        for (String id : List.of("a", "b", "c", "d")) {
            put(of("k", id), -60_000 + id.charAt(0));
        }
        assertThat(ids(take(ONE_AT_A_TIME, 10))).containsExactly("{k}:a");
        Instant turn = found("{k}:b").nextAttentionAt();
        Instant due = found("{k}:c").dueAt();
        assertThat(turn).isAfter(due);

        assertThat(cancel("{k}:b", found("{k}:b").dueAt().minusMillis(1))).isEqualTo(CancelOutcome.NOT_FOUND);
        assertThat(cancel("{k}:b", turn)).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(cancel("{k}:c", due)).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(reschedule("{k}:d", turn)).isEqualTo(RescheduleOutcome.RESCHEDULED);
        assertThat(reschedule("{k}:d", turn)).isEqualTo(RescheduleOutcome.NOT_FOUND);
        assertThat(state().brokenInvariant()).isEmpty();
    }

    private CancelOutcome cancel(String id, Instant seenAt) {
        return get(store.tasks().cancel(SHARD, ShardingVersion.NONE, id, seenAt, 0))
                .answer();
    }

    private RescheduleOutcome reschedule(String id, Instant seenAt) {
        Due due = Due.at(BEGIN.plusSeconds(5));
        return get(store.tasks().reschedule(SHARD, ShardingVersion.NONE, id, due, seenAt, 0))
                .answer();
    }

    @Test
    void callsWhenATaskIsHeldBackWorkAsForAnyOther() {
        for (String id : List.of("a", "b", "c", "d", "e", "f")) {
            put(of("k", id), -60_000 + id.charAt(0));
        }
        put(TaskIds.of("k", "g", "x"), -100);
        Acquisition first = take(ONE_AT_A_TIME, 10);
        assertThat(ids(first)).containsExactly("{k}:a");
        assertThat(stats().heldBack()).isEqualTo(6);

        assertThat(cancel("{k}:b")).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(reschedule("{k}:c", Due.at(BEGIN.plusSeconds(5)))).isEqualTo(RescheduleOutcome.RESCHEDULED);
        assertThat(schedule(task("{k}:d", ++requests, Due.at(BEGIN.plusSeconds(9)), ConflictPolicy.KEEP_EARLIER, "p"))
                        .outcome()
                        .name())
                .isEqualTo("KEPT");
        schedule(task("{k}:e", ++requests, Due.at(BEGIN.plusSeconds(6)), ConflictPolicy.REPLACE, "p"));
        GroupPosition group = new GroupPosition("{k}:{g}~", "", 10);
        assertThat(get(store.groups().count(SHARD, ShardingVersion.NONE, group.prefix())))
                .isEqualTo(1);
        assertThat(get(StoreCalls.change(
                                store,
                                SHARD,
                                ShardingVersion.NONE,
                                group,
                                GroupChange.shift(Duration.ofSeconds(7), "s")))
                        .changed())
                .isEqualTo(1);
        assertThat(found("{k}:{g}~x").dueAt()).isEqualTo(BEGIN.plusMillis(6_900));
        assertThat(stats().heldBack()).isEqualTo(2);
        assertThat(state().brokenInvariant()).isEmpty();

        still = BEGIN.plusSeconds(20);
        List<String> order = new ArrayList<>();
        done(first);
        Acquisition next = take(ONE_AT_A_TIME, 10);
        for (int i = 0; i < 20; i++) {
            order.addAll(ids(next));
            if (!next.tasks().isEmpty()) {
                done(next);
            }
            next = take(ONE_AT_A_TIME, 10);
        }
        assertThat(order)
                .startsWith("{k}:d")
                .containsExactlyInAnyOrder("{k}:d", "{k}:f", "{k}:c", "{k}:e", "{k}:{g}~x");
    }

    @Test
    void pageWhenTasksAreHeldBackHasThemInOrderOfTime() {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            String plain = (i % 2 == 0 ? "p" : "~") + i; // before and after ids with a key
            String id = i % 3 == 0 ? plain : of("k", "t" + i);
            put(id, -(i * 7 % 11));
            ids.add(id);
        }
        take(limits(60_000_000, 0), 3);
        take(limits(60_000_000, 0), 3);
        assertThat(stats().heldBack()).isPositive();

        for (int size : new int[] {1, 3, 100}) {
            List<StoredTask> listed = new ArrayList<>();
            Position next = null;
            do {
                PageRequest request = PageRequest.live(size).withIdPrefix("", size);
                var page = get(store.shards().page(SHARD, next == null ? request : request.after(next)));
                listed.addAll(page.tasks());
                next = page.next();
            } while (next != null);
            assertThat(listed)
                    .extracting(StoredTask::id)
                    .doesNotHaveDuplicates()
                    .hasSameElementsAs(ids);
            assertThat(listed).isSortedAccordingTo((a, b) -> a.nextAttentionAt().compareTo(b.nextAttentionAt()));
        }
    }

    @Test
    void migrationWhenATaskIsHeldBackMovesItWithItsTime() {
        put(of("k", "a"), -2000);
        put(of("k", "b"), -1000);
        take(ONE_AT_A_TIME, 10);

        MigrationHold hold = get(store.migrations()
                .hold(SHARD, new ShardingVersion("1:1:1:1:0"), List.of("{k}:b"), Duration.ofSeconds(1), 1 << 20));

        assertThat(hold.tasks()).singleElement().satisfies(item -> {
            assertThat(item.id()).isEqualTo("{k}:b");
            assertThat(item.momentMillis()).isEqualTo(BEGIN.toEpochMilli() - 1000);
        });
        Acquisition during = take(KeyLimits.NONE, 10);
        assertThat(during.tasks()).isEmpty();
        assertThat(during.untilNext()).as("not at once, again and again").isNull();
        move(LEASE.toMillis());
        assertThat(ids(take(KeyLimits.NONE, 10))).contains("{k}:b");
    }

    @Test
    void acquireWhenLimitsWereRemovedTakesWhatWasHeldBack() {
        for (int i = 0; i < 30; i++) {
            put(of("k" + i % 3, "t" + i), -1000);
        }
        take(FIVE_A_SECOND, 100);
        assertThat(stats().heldBack()).isEqualTo(27);
        assertThat(acquire(100).tasks()).as("an acquire that knows no limits").isEmpty();

        assertThat(take(KeyLimits.NONE, 20).tasks()).hasSize(20);
        assertThat(take(KeyLimits.NONE, 20).tasks()).hasSize(7);
        assertThat(stats().heldBack()).isZero();
    }

    @Test
    void acquireWhenLimitsWereRemovedTakesLargeBatchesOfOneKeyToTheLastTask() {
        for (int i = 0; i < 1203; i++) {
            put(of("k", "t" + i), -1000);
        }
        while (stats().due() > 0) {
            take(FIVE_A_SECOND, 500);
        }
        assertThat(stats().heldBack()).isEqualTo(1202);

        assertThat(take(KeyLimits.NONE, 500).tasks()).hasSize(500);
        assertThat(take(KeyLimits.NONE, 500).tasks()).hasSize(500);
        assertThat(take(KeyLimits.NONE, 500).tasks()).hasSize(202);
        assertThat(stats().heldBack()).isZero();
    }

    @Test
    void acquireWhenLimitsWereRemovedAndItSkipsAllTasksOfABatchDoesNotAskForTheNextAtOnce() {
        List<String> held = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            put(of("k" + i, "a"), -1000);
            put(of("k" + i, "b"), -999);
            held.add(of("k" + i, "b"));
        }
        take(FIVE_A_SECOND, 100);
        get(store.migrations().hold(SHARD, MigrationContract.SHARDING, held, Duration.ofMinutes(1), 1 << 20));

        Acquisition none = take(KeyLimits.NONE, 4);

        assertThat(none.tasks()).isEmpty();
        assertThat(none.untilNext()).isNull();
    }

    @Test
    void acquireWhenMoreKeysWaitThanFitIntoABatchServesThemInTurn() {
        for (String key : List.of("a", "b", "c", "d")) {
            for (int i = 0; i < 5; i++) {
                put(of(key, "t" + i), -1000 + i);
            }
        }
        Acquisition first = take(ONE_AT_A_TIME, 4);
        assertThat(ids(first)).containsExactly("{a}:t0", "{b}:t0", "{c}:t0", "{d}:t0");
        assertThat(ids(take(ONE_AT_A_TIME, 4))).isEmpty();
        done(first);

        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            move(1);
            Acquisition next = take(ONE_AT_A_TIME, 1);
            keys.add(TaskIds.keyOf(ids(next).get(0)).orElseThrow());
            done(next);
        }
        assertThat(keys).containsExactly("a", "b", "c", "d", "a", "b", "c", "d");
    }

    @Test
    void acquireWhenNewTasksOfAWaitingKeyBecomeDueLetsTheKeyKeepItsPlace() {
        for (String key : List.of("a", "b", "c", "d")) {
            for (int i = 0; i < 5; i++) {
                put(of(key, "t" + i), -1000 + i);
            }
        }
        Acquisition first = take(ONE_AT_A_TIME, 4);
        assertThat(ids(take(ONE_AT_A_TIME, 4))).isEmpty();
        done(first);

        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            move(1);
            put(of("d", "new" + i), 0);
            Acquisition next = take(ONE_AT_A_TIME, 2); // one for the turns, one for the index
            keys.add(TaskIds.keyOf(ids(next).get(0)).orElseThrow());
            done(next);
        }
        assertThat(keys).containsExactly("a", "b", "c", "d", "a", "b", "c", "d");
    }

    @Test
    void acquireWhenManyKeysWaitLeavesHalfOfTheBatchToTasksOfOthers() {
        for (int i = 0; i < 10; i++) {
            put(of("k" + i, "a"), -2000);
            put(of("k" + i, "b"), -1000);
        }
        Acquisition first = take(ONE_AT_A_TIME, 10);
        assertThat(ids(take(ONE_AT_A_TIME, 10))).isEmpty();
        done(first);
        for (int i = 0; i < 10; i++) {
            put("plain" + i, -10);
        }

        assertThat(ids(take(ONE_AT_A_TIME, 4)))
                .filteredOn(id -> id.startsWith("plain"))
                .hasSize(2);
    }

    @Test
    void acquireWhenAHeldBackTaskIsTooLateBuriesItAndChargesNothing() {
        put(of("k", "a"), -2000);
        put(of("k", "b"), -1000);
        put(of("k", "c"), 0);
        AcquireRequest request = Acquires.without(
                new Expiry(Duration.ofSeconds(10), true), Acquires.of(10, LEASE, MAX_EXPIRED, 1 << 20, 10));
        get(store.leases().acquireLimited(SHARD, request, limits(10_000_000, 0)));

        move(9_500);
        move(500);
        Acquisition next = get(store.leases().acquireLimited(SHARD, request, limits(10_000_000, 0)));
        assertThat(next.dead()).containsOnlyKeys("{k}:b");
        assertThat(ids(next)).containsExactly("{k}:c");
    }

    @Test
    void acquireWhenTheShardIsEmptyForgetsWhatCancelledTasksLeftBehind() {
        for (int i = 0; i < 10; i++) {
            put(of("k", "t" + i), -1000);
        }
        Acquisition first = take(FIVE_A_SECOND, 10);
        done(first);
        for (int i = 0; i < 10; i++) {
            cancel(of("k", "t" + i));
        }
        assertThat(waiting()).isPositive();
        take(FIVE_A_SECOND, 10);
        assertThat(redis.raw().exists(key("waiting"), key("turns"))).isZero();
    }

    @Test
    void tatWhenKeysAreIdleShrinks() {
        for (int i = 0; i < 500; i++) {
            put(of("k" + i, "t"), -1000);
        }
        done(take(FIVE_A_SECOND, 500));
        assertThat(redis.raw().hlen(key("tat"))).isEqualTo(500);
        for (int round = 0; round < 100; round++) {
            move(1000);
            put(of("other", "t" + round), -1);
            done(take(FIVE_A_SECOND, 10));
        }
        assertThat(redis.raw().hlen(key("tat"))).isLessThan(250);
    }

    private StoredKeyLimits change(String key, KeyLimitsChange change) {
        return get(store.shards().keyLimits(SHARD, ShardingVersion.NONE, TaskIds.keyPrefix(key), change));
    }

    private void putMany(String key, int tasks) {
        for (int i = 0; i < tasks; i++) {
            put(of(key, "t%03d".formatted(i)), -1000 + i);
        }
    }

    /** Returns the number of tasks that acquires take, one each ten milliseconds. */
    private int takenWithin(KeyLimits limits, long millis) {
        int taken = 0;
        for (long moment = 0; moment < millis; moment += 10) {
            taken += take(limits, 100).tasks().size();
            move(10);
        }
        return taken;
    }

    @Test
    void keyLimitsWhenSetReplaceThoseOfTheCallerForThisKeyOnly() {
        putMany("fast", 60);
        putMany("slow", 60);
        change("fast", KeyLimitsChange.set(limits(50_000, 0)));

        List<String> taken = new ArrayList<>();
        for (int moment = 0; moment < 1000; moment += 10) {
            taken.addAll(ids(take(FIVE_A_SECOND, 100)));
            move(10);
        }

        assertThat(taken).filteredOn(id -> id.startsWith("{fast}")).hasSizeBetween(20, 22);
        assertThat(taken).filteredOn(id -> id.startsWith("{slow}")).hasSize(5);
        change("fast", KeyLimitsChange.set(KeyLimits.NONE));
        assertThat(redis.raw().exists(key("keylimits"))).isZero();
        assertThat(takenWithin(FIVE_A_SECOND, 1000)).as("both keys").isBetween(9, 12);
    }

    @Test
    void keyLimitsWhenOneIsLeftOutKeepThatOfTheCaller() {
        putMany("k", 5);
        change("k", KeyLimitsChange.set(limits(1_000_000, 0)));

        Acquisition first = take(limits(0, 1), 10);
        assertThat(ids(first)).containsExactly("{k}:t000");
        move(1000);
        assertThat(ids(take(limits(0, 1), 10)))
                .as("while the first is in progress")
                .isEmpty();
        done(first);
        assertThat(ids(take(limits(0, 1), 10))).containsExactly("{k}:t001");
    }

    @Test
    void acquireWhenItKnowsNoLimitsLeavesAShardThatHasSomeToAnAcquireWithLimits() {
        putMany("k", 3);
        put("plain", -10);
        change("k", KeyLimitsChange.set(ONE_AT_A_TIME));

        Acquisition nothing = changesNothing(() -> acquire(10));
        assertThat(nothing.tasks()).isEmpty();
        assertThat(nothing.limited()).isTrue();
        Acquisition first = take(KeyLimits.NONE, 10);
        assertThat(ids(first)).containsExactlyInAnyOrder("{k}:t000", "plain");
        assertThat(first.limited()).isTrue();
        assertThat(ids(take(KeyLimits.NONE, 10))).isEmpty();
        assertThat(stats().heldBack()).isEqualTo(2);

        change("k", KeyLimitsChange.set(KeyLimits.NONE));
        Acquisition rest = acquire(10);
        assertThat(rest.tasks())
                .as("of an acquire that does not reach what was put aside")
                .isEmpty();
        assertThat(rest.limited()).isTrue();
        assertThat(ids(take(KeyLimits.NONE, 10))).containsExactly("{k}:t001", "{k}:t002");
        assertThat(take(KeyLimits.NONE, 10).limited()).isFalse();
        put(of("k", "later"), -1);
        assertThat(ids(acquire(10))).as("as if there had never been limits").containsExactly("{k}:later");
        assertThat(redis.raw().exists(key("waiting"), key("turns"), key("keylimits")))
                .isZero();
    }

    @Test
    void keyLimitsWhenARateIsRaisedApplyToWaitingTasksAtOnce() {
        putMany("k", 30);
        KeyLimits once = KeyLimits.rate(1, Duration.ofDays(1));
        assertThat(ids(take(once, 10))).hasSize(1);
        assertThat(found("{k}:t001").nextAttentionAt()).isEqualTo(BEGIN.plus(Duration.ofDays(1)));

        change("k", KeyLimitsChange.set(limits(50_000, 0)));
        assertThat(found("{k}:t001").nextAttentionAt()).isEqualTo(BEGIN);
        assertThat(takenWithin(once, 1000)).isBetween(18, 21);
    }

    @Test
    void keyLimitsWhenTheConcurrencyIsRaisedGiveMoreAtOnceAndWhenLoweredFewer() {
        putMany("k", 10);
        Acquisition first = take(ONE_AT_A_TIME, 10);
        assertThat(first.tasks()).hasSize(1);

        change("k", KeyLimitsChange.set(limits(0, 4)));
        Acquisition more = take(ONE_AT_A_TIME, 10);
        assertThat(more.tasks()).hasSize(3);
        change("k", KeyLimitsChange.set(limits(0, 2)));
        assertThat(ids(take(ONE_AT_A_TIME, 10))).isEmpty();
        done(more);
        assertThat(ids(take(ONE_AT_A_TIME, 10))).hasSize(1);
    }

    @Test
    void closureWhenItEndsLetsWaitingTasksGoInOrderAndLeavesNothing() {
        putMany("k", 3);
        put(of("other", "a"), -10);
        change("k", KeyLimitsChange.closeFor(Duration.ofSeconds(60)));

        Acquisition other = take(KeyLimits.NONE, 10);
        assertThat(ids(other)).containsExactly("{other}:a");
        done(other);
        assertThat(found("{k}:t001").nextAttentionAt()).isEqualTo(BEGIN.plusSeconds(60));
        assertThat(found("{k}:t001").dueAt()).isEqualTo(BEGIN.minusMillis(999));
        put(of("k", "early"), -5000);
        move(59_999);
        assertThat(ids(take(KeyLimits.NONE, 10))).isEmpty();
        move(1);
        assertThat(change("k", KeyLimitsChange.READ).closedUntil()).isEmpty();
        assertThat(ids(take(KeyLimits.NONE, 10))).containsExactly("{k}:early", "{k}:t000", "{k}:t001", "{k}:t002");
        assertThat(redis.raw().exists(key("waiting"), key("turns"), key("keylimits")))
                .isZero();
    }

    @Test
    void acquireWhenVeryManyHeldBackTasksAreTooLateEndsSomeHundredsAtATime() {
        for (int k = 0; k < 40; k++) {
            for (int i = 0; i < 210; i++) {
                put(of("k" + k, "t" + i), -60_000);
            }
            change("k" + k, KeyLimitsChange.closeFor(Duration.ofSeconds(10)));
        }
        while (stats().due() > 0) {
            assertThat(ids(take(KeyLimits.NONE, 500))).isEmpty();
        }
        move(10_000);
        AcquireRequest request = Acquires.without(
                new Expiry(Duration.ofSeconds(10), false), Acquires.of(200, LEASE, MAX_EXPIRED, 1 << 20, 200));

        int ended = 0;
        while (stats().live() > 0) {
            Acquisition next = get(store.leases().acquireLimited(SHARD, request, KeyLimits.NONE));
            assertThat(next.dead()).hasSizeBetween(1, 1_000);
            ended += next.dead().size();
        }

        assertThat(ended).isEqualTo(40 * 210);
        assertThat(state().brokenInvariant()).isEmpty();
    }

    @Test
    void acquireWhenOverdueTasksOfAKeyAreAtTheRateOfTheirQueueDoesNotHoldUpTheOthers() throws InterruptedException {
        store = TestStores.of(redis.connections(), new RedisKeys("dq"), TestRedis.TIMEOUT); // Its clock runs.
        long now = System.currentTimeMillis();
        for (int i = 0; i < 50; i++) {
            schedule(of("k", "t%02d".formatted(i)), ++requests, now - 60_000);
        }
        change("k", KeyLimitsChange.close(Instant.MAX));
        assertThat(ids(take(KeyLimits.NONE, 500))).isEmpty();
        change("k", KeyLimitsChange.OPEN);
        schedule("overdue", ++requests, now - 120_000);
        schedule("on-time", ++requests, now);
        AcquireRequest request = Acquires.of(100, LEASE, MAX_EXPIRED, 1 << 20, 100, 10);

        List<String> acquired = new ArrayList<>();
        for (int tenth = 0; tenth < 10; tenth++) {
            acquired.addAll(ids(get(store.leases().acquireLimited(SHARD, request, KeyLimits.NONE))));
            Thread.sleep(100);
        }

        assertThat(acquired).contains("overdue", "on-time", "{k}:t00").hasSizeLessThan(30);
    }

    @Test
    void closureWhenTheKeyIsOpenedEndsAtOnce() {
        putMany("k", 3);
        assertThat(change("k", KeyLimitsChange.close(Instant.MAX)).closedUntil())
                .contains(Instant.ofEpochMilli(Due.MAX_EPOCH_MILLIS));
        assertThat(ids(take(FIVE_A_SECOND, 10))).isEmpty();
        assertThat(stats().heldBack()).isEqualTo(3);

        change("k", KeyLimitsChange.OPEN);
        assertThat(ids(take(FIVE_A_SECOND, 10))).as("at its rate").containsExactly("{k}:t000");
        move(200);
        assertThat(ids(take(FIVE_A_SECOND, 10))).containsExactly("{k}:t001");
    }

    @Test
    void closureWhenAHandlerAsksForItNeverEndsEarlierThanBefore() {
        change("k", KeyLimitsChange.closeFor(Duration.ofSeconds(60)));
        move(1000);
        assertThat(change("k", KeyLimitsChange.closeFor(Duration.ofSeconds(1))).closedUntil())
                .contains(BEGIN.plusSeconds(60));
        assertThat(change("k", KeyLimitsChange.close(BEGIN.plusSeconds(5))).closedUntil())
                .contains(BEGIN.plusSeconds(5));
        assertThat(change("k", KeyLimitsChange.closeFor(Duration.ofDays(10_000_000)))
                        .closedUntil())
                .contains(Instant.ofEpochMilli(Due.MAX_EPOCH_MILLIS));
    }

    @Test
    void closureWhenItIsCopiedFromAnotherShardEndsAtTheLaterMoment() {
        change("k", KeyLimitsChange.close(BEGIN.plusSeconds(60)));

        assertThat(change("k", KeyLimitsChange.copying(closureOfAnotherShard(70_000)))
                        .closedUntil())
                .contains(BEGIN.plusSeconds(70));
        StoredKeyLimits same = change("k", KeyLimitsChange.copying(closureOfAnotherShard(50_000)));
        assertThat(same.closedUntil()).contains(BEGIN.plusSeconds(70));
        assertThat(same.changed()).isFalse();
        move(80_000);
        assertThat(change("k", KeyLimitsChange.copying(closureOfAnotherShard(50_000)))
                        .closedUntil())
                .isEmpty();
    }

    private static KeyLimitsPage.Field closureOfAnotherShard(long millis) {
        return new KeyLimitsPage.Field("{k}:", true, String.valueOf(BEGIN.toEpochMilli() + millis));
    }

    @Test
    void closureWhenItIsReplacedIsSoOnlyIfItHasTheExpectedEnd() {
        change("k", KeyLimitsChange.close(BEGIN.plusMillis(1000)));
        String sooner = String.valueOf(BEGIN.toEpochMilli() + 500);

        assertThat(change("k", KeyLimitsChange.replacing(closureOfAnotherShard(999), sooner))
                        .changed())
                .isFalse();
        assertThat(change("k", KeyLimitsChange.replacing(closureOfAnotherShard(1000), sooner))
                        .closedUntil())
                .contains(BEGIN.plusMillis(500));
    }

    @Test
    void closureWhenItHasEndedIsDeletedByARemoval() {
        change("k", KeyLimitsChange.close(BEGIN.plusMillis(1000)));
        change("k", KeyLimitsChange.replacing(closureOfAnotherShard(999), ""));
        assertThat(change("k", KeyLimitsChange.READ).closedUntil())
                .as("another one")
                .isPresent();

        move(1000);
        change("k", KeyLimitsChange.replacing(closureOfAnotherShard(1000), ""));
        assertThat(redis.raw().exists(key("keylimits"))).isZero();
    }

    @Test
    void closureWhenADeliveryIsInProgressLetsItEndAndRetryAfterwards() {
        putMany("k", 2);
        Acquisition first = take(KeyLimits.NONE, 1);
        change("k", KeyLimitsChange.closeFor(Duration.ofSeconds(10)));
        settle(Settlement.retry("{k}:t000", first.token(), Duration.ofSeconds(10), false, false, "429"));

        move(9_999);
        assertThat(ids(take(KeyLimits.NONE, 10))).isEmpty();
        move(2);
        assertThat(ids(take(KeyLimits.NONE, 10))).containsExactlyInAnyOrder("{k}:t000", "{k}:t001");
    }

    @Test
    void acquireWhenConfiguredLimitsWereRemovedAndAnotherKeyIsClosedTakesWhatWasHeldBack() {
        putMany("k", 5);
        assertThat(ids(take(KeyLimits.rate(1, Duration.ofDays(1)), 10))).hasSize(1);
        putMany("closed", 3);
        change("closed", KeyLimitsChange.close(Instant.MAX));

        assertThat(ids(take(KeyLimits.NONE, 4))).containsExactly("{k}:t001", "{k}:t002");
        assertThat(ids(take(KeyLimits.NONE, 10))).containsExactly("{k}:t003", "{k}:t004");
        assertThat(stats().heldBack()).isEqualTo(3);
        assertThat(take(KeyLimits.NONE, 10).untilNext())
                .as("no call again and again")
                .isNull();
    }

    @Test
    void keyLimitsWhenManyClosuresHavePassedDisappear() {
        for (int i = 0; i < 300; i++) {
            change("k" + i, KeyLimitsChange.closeFor(Duration.ofSeconds(1)));
        }
        move(2000);
        for (int i = 0; i < 100; i++) {
            put(of("other", "t" + i), -1);
            done(take(FIVE_A_SECOND, 10));
            move(200);
        }
        assertThat(redis.raw().hlen(key("keylimits"))).isLessThan(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2:1:1", "1:x:1", "1:999999999999:99999", "1:1", "1:1:1:999999"})
    void keyLimitsWhenTheyCannotBeReadAreThoseOfTheCaller(String record) {
        putMany("k", 3);
        redis.raw().hset(key("keylimits"), "Lk", record);
        redis.raw().hset(key("keylimits"), "Ck", "soon");

        assertThat(change("k", KeyLimitsChange.READ).limits()).isEqualTo(KeyLimits.NONE);
        assertThat(ids(take(ONE_AT_A_TIME, 10))).containsExactly("{k}:t000");
    }

    /** Any calls in any order: each moment gives the tasks that a model gives, in its order, and none is stranded. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void anyCallsGiveWhatTheModelGives(long seed) {
        Random random = new Random(seed);
        KeyLimits configured = random.nextInt(4) == 0 ? KeyLimits.NONE : anyLimits(random);
        LimitsModel model = new LimitsModel(configured);
        Map<String, Long> leased = new LinkedHashMap<>();
        for (int step = 0; step < 400; step++) {
            String key = "k" + random.nextInt(3);
            switch (random.nextInt(13)) {
                case 0, 1, 2 -> {
                    String id = of(key, "t%04d".formatted(step));
                    put(id, Duration.between(BEGIN, still).toMillis() - 50);
                    model.put(id);
                }
                case 3 -> {
                    KeyLimits limits = random.nextInt(3) == 0 ? KeyLimits.NONE : anyLimits(random);
                    change(key, KeyLimitsChange.set(limits));
                    model.set(key, limits);
                }
                case 4 -> {
                    Instant until = still.plusMillis(random.nextInt(600));
                    change(key, KeyLimitsChange.close(until));
                    model.close(key, until);
                }
                case 5 -> {
                    change(key, KeyLimitsChange.OPEN);
                    model.close(key, Instant.MIN);
                }
                case 6, 7 -> move(random.nextInt(150));
                case 8 ->
                    model.due().stream().skip(random.nextInt(9)).findFirst().ifPresent(id -> {
                        assertThat(cancel(id)).isEqualTo(CancelOutcome.CANCELLED);
                        model.cancel(id);
                    });
                case 9 -> endSome(random.nextInt(3), leased, model);
                default ->
                    assertThat(takeAll(configured, leased)).as("step %s", step).isEqualTo(model.take(still));
            }
            assertThat(state().brokenInvariant()).as("after step %s", step).isEmpty();
        }
        endSome(leased.size(), leased, model);
        assertThat(stats().live()).isEqualTo(model.due().size());
        deliverAll(configured);
    }

    private static KeyLimits anyLimits(Random random) {
        long interval = List.of(0L, 30_000L, 100_000L, 250_000L).get(random.nextInt(4));
        KeyLimits limits = limits(interval, random.nextInt(4));
        return interval > 0 && random.nextInt(3) == 0 ? limits.withBurst(1 + random.nextInt(4)) : limits;
    }

    private void endSome(int most, Map<String, Long> leased, LimitsModel model) {
        for (String id : leased.keySet().stream().limit(most).toList()) {
            settle(Settlement.ack(id, leased.remove(id)));
            model.end(id);
        }
    }

    /** Returns all tasks that can be taken now, by key. */
    private Map<String, List<String>> takeAll(KeyLimits configured, Map<String, Long> leased) {
        Map<String, List<String>> taken = new TreeMap<>();
        for (int calls = 0; calls < 20; calls++) {
            Acquisition next = take(configured, 100);
            for (String id : ids(next)) {
                taken.computeIfAbsent(TaskIds.keyOf(id).orElseThrow(), any -> new ArrayList<>())
                        .add(id);
                leased.put(id, next.token());
            }
            if (next.tasks().isEmpty() && next.untilNext() == null) {
                return taken;
            }
        }
        throw new AssertionError("Each call asks for another at once");
    }

    private RateTokens tokens(int asked, int unused) {
        return tokens(asked, unused, still);
    }

    private RateTokens tokens(int asked, int unused, Instant takenAt) {
        return get(store.shards().takeTokens("orders", 5_000_000, 20, asked, unused, takenAt.toEpochMilli() * 1000));
    }

    /** Otherwise callers that take and return in turn could exceed the burst. */
    @Test
    void takeTokensWhenSomeComeBackLateReturnsOnlyWhatTimeHasLeft() {
        assertThat(tokens(20, 0).taken()).isEqualTo(20);
        move(60);
        assertThat(tokens(0, 20, BEGIN).taken()).isZero();
        assertThat(tokens(200, 0).taken()).as("all of it, in any case").isEqualTo(20);

        Instant again = still;
        move(100);
        assertThat(tokens(200, 0).taken()).isEqualTo(20);
        tokens(0, 20, again);
        assertThat(tokens(200, 0).taken())
                .as("another caller has used that time")
                .isZero();

        move(50);
        tokens(0, 20, still.minusMillis(50));
        assertThat(tokens(200, 0).taken()).isEqualTo(20);
    }

    @Test
    void takeTokensWhenTheBurstIsUsedGivesMoreAtTheRateAndWhatComesBackAtOnce() {
        assertThat(tokens(15, 0).taken()).isEqualTo(15);
        assertThat(tokens(200, 0).taken()).isEqualTo(5);
        assertThat(tokens(200, 0).taken()).isZero();
        assertThat(tokens(200, 0).untilNext()).as("for half a burst").isEqualTo(Duration.ofMillis(50));
        move(50);
        assertThat(tokens(200, 0).taken()).isEqualTo(10);
        assertThat(tokens(0, 7).taken()).isZero();
        assertThat(tokens(200, 0).taken()).isEqualTo(7);
        move(60_000);
        assertThat(tokens(200, 0).taken())
                .as("no more than a burst, however long unused")
                .isEqualTo(20);
        assertThat(tokens(0, 500).taken()).isZero();
        assertThat(tokens(200, 0).taken()).isEqualTo(20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2:5", "1:99999999999999999", "1:x"})
    void takeTokensWhenTheRecordIsForeignGoesOnWithinABurst(String record) {
        redis.raw().set("dq:{orders}:flow", record);
        move(100);
        int taken = tokens(200, 0).taken();
        move(100);
        assertThat(taken + tokens(200, 0).taken()).isGreaterThanOrEqualTo(20);
    }

    /** Any calls in any order: no limit is exceeded, no task is lost, and all are delivered in the end. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anyCallsKeepTheLimitsAndLoseNothing(long seed) {
        Random random = new Random(seed);
        long interval = List.of(0L, 100_000L, 1_000_000L).get(random.nextInt(3));
        int concurrency = interval == 0 ? 1 + random.nextInt(2) : random.nextInt(3);
        KeyLimits limits = limits(interval, concurrency);
        Map<String, Long> leased = new LinkedHashMap<>();
        Map<String, Instant> ends = new HashMap<>();
        Map<String, List<Instant>> given = new HashMap<>();
        for (int step = 0; step < 300; step++) {
            String id = of("k" + random.nextInt(3), "t" + random.nextInt(8));
            switch (random.nextInt(10)) {
                case 0, 1, 2 -> put(id, Duration.between(BEGIN, still).toMillis() + random.nextInt(400) - 300);
                case 3 -> {
                    if (cancel(id) != CancelOutcome.NOT_FOUND) {
                        leased.remove(id);
                    }
                }
                case 4 -> reschedule(id, Due.at(still.plusMillis(random.nextInt(2000) - 1000)));
                case 5 -> move(random.nextInt(20) == 0 ? LEASE.toMillis() + 1 : random.nextInt(300));
                case 6 -> endOne(random, leased);
                default -> {
                    ends.values().removeIf(end -> !end.isAfter(still));
                    leased.keySet().retainAll(ends.keySet());
                    Acquisition taken = take(limits, 1 + random.nextInt(5));
                    for (String one : ids(taken)) {
                        leased.put(one, taken.token());
                        ends.put(one, still.plus(LEASE));
                        given.computeIfAbsent(TaskIds.keyOf(one).orElseThrow(), any -> new ArrayList<>())
                                .add(still);
                    }
                    assertConcurrency(limits, leased);
                }
            }
            assertThat(state().brokenInvariant()).as("after step %s", step).isEmpty();
        }
        given.values().forEach(moments -> assertSpaced(moments, interval));
        deliverAll(limits);
    }

    private void endOne(Random random, Map<String, Long> leased) {
        leased.entrySet().stream()
                .skip(random.nextInt(leased.size() + 1))
                .findFirst()
                .ifPresent(entry -> {
                    String id = entry.getKey();
                    if (random.nextBoolean()) {
                        settle(Settlement.ack(id, entry.getValue()));
                    } else if (random.nextBoolean()) {
                        settle(Settlement.retry(id, entry.getValue(), Duration.ofMillis(50), true, false, "failed"));
                    } else {
                        get(store.leases().settle(SHARD, List.of(Settlement.release(id, entry.getValue()))));
                    }
                    leased.remove(id);
                });
    }

    private static void assertConcurrency(KeyLimits limits, Map<String, Long> leased) {
        Map<String, Integer> running = new HashMap<>();
        leased.keySet().forEach(id -> running.merge(TaskIds.keyOf(id).orElseThrow(), 1, Integer::sum));
        if (limits.concurrency().isPresent()) {
            assertThat(running.values())
                    .allMatch(count -> count <= limits.concurrency().getAsInt());
        }
    }

    private static void assertSpaced(List<Instant> moments, long intervalMicros) {
        for (int i = 1; i < moments.size(); i++) {
            assertThat(Duration.between(moments.get(i - 1), moments.get(i)))
                    .isGreaterThanOrEqualTo(Duration.ofMillis(intervalMicros / 1000));
        }
    }

    private void deliverAll(KeyLimits limits) {
        for (int round = 0; round < 500 && stats().live() > 0; round++) {
            Instant next = stats().nextAttention();
            assertThat(next).isNotNull();
            still = next.isAfter(still) ? next : still;
            Acquisition taken = take(limits, 10);
            if (!taken.tasks().isEmpty()) {
                done(taken);
            }
        }
        assertThat(stats().live()).isZero();
        take(limits, 10);
        assertThat(redis.raw().exists(key("waiting"), key("turns"))).isZero();
    }
}
