// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.HistoryEntry;
import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.GroupChange;
import io.delayqueue.internal.store.GroupPosition;
import io.delayqueue.internal.store.HistoryStore;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoreCalls;
import io.lettuce.core.XAddArgs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Histories of tasks that no longer exist. */
abstract class HistoryContract extends RedisStoreContract {

    static final Shard TOLD = new Shard("told", 0);

    private static final String KEY = ShardState.key(TOLD, "history");

    /** Entries that Redis keeps together, and forgets together. */
    private static final long MOST_IN_A_NODE = 100;

    HistoryContract(StoreServers servers) {
        super(servers);
    }

    void put(String id, long due) {
        get(StoreCalls.schedule(store, TOLD, List.of(task(id, id.hashCode(), at(due), ConflictPolicy.REPLACE, "p"))));
    }

    private long take(String id) {
        Acquisition acquisition = takeSome(1);
        assertThat(acquisition.tasks()).extracting(task -> task.id()).containsExactly(id);
        return acquisition.token();
    }

    private Acquisition takeSome(int limit) {
        return get(store.leases().acquire(TOLD, Acquires.of(limit, LEASE, MAX_EXPIRED, 1 << 20, 500)));
    }

    private void end(Settlement settlement) {
        assertThat(get(store.leases().settle(TOLD, List.of(settlement)))).containsExactly(true);
    }

    /** The newest last. */
    private List<HistoryEntry> history(String id) {
        List<HistoryEntry> entries = new ArrayList<>();
        String cursor = "";
        while (cursor != null) {
            HistoryStore.Page page = get(store.history().page(TOLD, cursor, 7, id));
            assertThat(page.lookedAt()).isBetween(0, 7);
            entries.addAll(page.entries());
            cursor = page.next();
        }
        Collections.reverse(entries);
        return entries;
    }

    List<String> told(String id) {
        return history(id).stream()
                .map(entry -> entry.event() + (entry.reason() == null ? "" : ": " + entry.reason()))
                .toList();
    }

    /** Schedules, takes and acknowledges these in one call each. */
    void deliver(List<String> ids) {
        ids.forEach(id -> put(id, now - MINUTE));
        Acquisition taken = takeSome(ids.size());
        List<Settlement> ends = taken.tasks().stream()
                .map(task -> Settlement.ack(task.id(), taken.token()))
                .toList();
        assertThat(get(store.leases().settle(TOLD, ends))).hasSize(ids.size()).containsOnly(true);
    }

    @Test
    void historyWhenDeliveredSaysWhenAndByWhom() {
        put("a", now - MINUTE);
        put("b", now - MINUTE);
        List<Settlement> ends = new ArrayList<>();
        Acquisition taken = takeSome(2);
        taken.tasks().forEach(task -> ends.add(Settlement.ack(task.id(), taken.token())));
        assertThat(history("a")).isEmpty();
        long before = kept.clock().toEpochMilli();

        get(store.leases().settle(TOLD, ends));

        long after = kept.clock().toEpochMilli();
        assertThat(history("a")).hasSize(1).allSatisfy(entry -> {
            assertThat(entry.event()).isEqualTo("delivered");
            assertThat(entry.reason()).isNull();
            assertThat(entry.process()).isEqualTo(ProcessName.OWN);
            assertThat(entry.at()).isBetween(Instant.ofEpochMilli(before), Instant.ofEpochMilli(after));
        });
        assertThat(told("b")).containsExactly("delivered");
        assertThat(told("c")).isEmpty();
    }

    @Test
    void historyWhenAttemptsFailSaysWhyUntilTheTaskIsDeadRedrivenAndDiscarded() {
        put("a", now - MINUTE);
        end(Settlement.retry("a", take("a"), Duration.ZERO, true, false, "no: answer"));
        moveClock(1);
        end(Settlement.retry("a", take("a"), Duration.ZERO, false, true, "nacked, which does not count"));
        moveClock(1);
        end(Settlement.dead("a", take("a"), false, "hopeless").withStackTrace("at A.b"));
        get(StoreCalls.redrive(store, TOLD, StoreCalls.dueNow(List.of("a", "unknown"))));
        moveClock(1);
        end(Settlement.dead("a", take("a"), false, "still hopeless"));
        get(StoreCalls.discard(store, TOLD, List.of("a", "unknown")));

        assertThat(told("a"))
                .containsExactly(
                        "retried: no: answer", "dead: hopeless", "redriven", "dead: still hopeless", "discarded");
        assertThat(told("unknown")).isEmpty();
    }

    @Test
    void historyWhenADeadTaskIsCancelledSaysThatItWasDiscarded() {
        put("a", now - MINUTE);
        end(Settlement.dead("a", take("a"), false, "hopeless"));
        put("{g}~b", now - MINUTE);
        end(Settlement.dead("{g}~b", take("{g}~b"), false, "hopeless"));

        get(StoreCalls.cancel(store, TOLD, "a"));
        get(StoreCalls.change(
                store, TOLD, ShardingVersion.NONE, new GroupPosition("{g}~", "", 9), GroupChange.cancel()));

        assertThat(told("a")).containsExactly("dead: hopeless", "discarded");
        assertThat(told("{g}~b")).containsExactly("dead: hopeless", "discarded");
    }

    @Test
    void historyWhenAReasonIsANumberSaysItAsItIs() {
        put("a", now - MINUTE);
        end(Settlement.retry("a", take("a"), Duration.ZERO, true, false, "503"));

        assertThat(told("a")).containsExactly("retried: 503");
    }

    @Test
    void historyWhenTheDeadAreNotKeptSaysWhyTheTaskIsGone() {
        put("a", now - MINUTE);
        end(Settlement.dead("a", take("a"), false, "hopeless").discarding());

        assertThat(told("a")).containsExactly("dead: hopeless");
    }

    @Test
    void historyWhenLeasesRunOutSaysSoUntilTheTaskIsDead() {
        put("a", now - MINUTE);
        for (int i = 0; i <= MAX_EXPIRED; i++) {
            take("a");
            moveClock(LEASE.toMillis() + MINUTE);
        }
        takeSome(1);

        assertThat(told("a"))
                .containsExactly("retried: lease expired", "retried: lease expired", "dead: lease expired");
        assertThat(history("a")).extracting(HistoryEntry::process).containsOnly(ProcessName.OWN);
    }

    @Test
    void historyWhenRescheduledCancelledOrOfANewRoundSaysSo() {
        put("a", now - MINUTE);
        end(Settlement.again("a", take("a"), Due.after(Duration.ofHours(1))));
        get(StoreCalls.reschedule(store, TOLD, ShardingVersion.NONE, "a", at(now + 5 * MINUTE)));
        get(StoreCalls.cancel(store, TOLD, "a"));
        get(StoreCalls.cancel(store, TOLD, "a"));
        get(StoreCalls.reschedule(store, TOLD, ShardingVersion.NONE, "a", at(now + 5 * MINUTE)));

        assertThat(told("a"))
                .containsExactly("again", "rescheduled: to " + Instant.ofEpochMilli(now + 5 * MINUTE), "cancelled");
    }

    @Test
    void historyWhenNothingWasChangedSaysNothing() {
        put("a", now - MINUTE);
        long token = take("a");

        get(store.leases().settle(TOLD, List.of(Settlement.ack("a", token + 1))));
        get(store.leases().settle(TOLD, List.of(Settlement.release("a", token))));

        assertThat(told("a")).isEmpty();
    }

    @Test
    void historyWhenItIsLongKeepsTheNewest() {
        put("a", now);
        for (int round = 0; round < 15; round++) {
            int first = round * 100;
            IntStream.range(first, first + 100).forEach(i -> put("t" + i, now + MINUTE));
            IntStream.range(first, first + 100).forEach(i -> get(StoreCalls.cancel(store, TOLD, "t" + i)));
        }

        long told = 20
                * IntStream.range(0, 75)
                        .filter(i -> !told("t" + 20 * i).isEmpty())
                        .count();
        assertThat(told).isBetween(200L, 200L + MOST_IN_A_NODE + 20);
        assertThat(told("t0")).isEmpty();
        assertThat(told("t1499")).containsExactly("cancelled");
    }

    private long erase(String prefix) {
        long deleted = 0;
        String cursor = "";
        while (cursor != null) {
            HistoryStore.Erased page = get(store.history().erase(TOLD, cursor, 2, prefix));
            assertThat(page.deleted()).isBetween(0L, 2L);
            deleted += page.deleted();
            cursor = page.next();
        }
        return deleted;
    }

    @Test
    void historyWhenAPrefixIsErasedKeepsTheOtherEntries() {
        deliver(List.of("a", "b", "{k}:a", "{k}:b", "ab"));
        redis.raw().xadd(KEY, "foreign", "a");

        assertThat(erase("missing")).isZero();
        assertThat(erase("{k}:")).isEqualTo(2);
        assertThat(told("{k}:b")).isEmpty();
        assertThat(erase("a")).as("a and ab").isEqualTo(2);
        assertThat(told("ab")).isEmpty();
        assertThat(told("b")).containsExactly("delivered");
        assertThat(erase("")).isEqualTo(1);
        assertThat(redis.raw().xlen(KEY)).isEqualTo(1);
    }

    @Test
    void historyWhenACallEndsManyTellsOfEachAndOfNoOther() {
        List<String> ids = List.of("a", "b", "a,b", "1:a", "ab");
        deliver(ids);

        assertThat(ids).allSatisfy(id -> assertThat(told(id)).containsExactly("delivered"));
        assertThat(List.of("b,ab", "1", ","))
                .allSatisfy(id -> assertThat(told(id)).isEmpty());
    }

    @Test
    void historyWhenTheQueueHasNoneStoresNothing() {
        schedule("a", 1, now - MINUTE);
        settle(Settlement.ack("a", lease("a")));
        schedule("b", 1, now);
        cancel("b");

        assertThat(get(store.history().page(SHARD, "", 10, "a")))
                .isEqualTo(new HistoryStore.Page(null, 0, List.of(), null));
    }

    private static final int BEFORE = 2_000;

    private void cancelOne() {
        put("a", now + MINUTE);
        get(StoreCalls.cancel(store, TOLD, "a"));
    }

    @Test
    void historyWhenFewerAreKeptThanBeforeForgetsTheOthers() {
        for (int i = 1; i <= BEFORE; i++) {
            redis.raw().xadd(KEY, "id", "old", "event", "delivered", "reason", "", "process", "p");
        }

        cancelOne();

        assertThat(redis.raw().xlen(KEY)).isBetween(200L, 300L);
        assertThat(told("a")).containsExactly("cancelled");
    }

    @Test
    void historyWhenSomethingElseWroteToItIsReadOn() {
        cancelOne();
        redis.raw().xadd(KEY, "foreign", "a");
        redis.raw().xadd(KEY, "id", "a");

        assertThat(told("a")).containsExactly("cancelled", "");
    }

    /** Entries that follow have the same time, for that of a stream never goes back. */
    @Test
    void historyWhenTheTimeOfAnEntryCannotBeReadHasTheOthers() {
        cancelOne();
        redis.raw().xadd(KEY, new XAddArgs().id("18446744073709551614-0"), "id", "a", "event", "delivered");
        cancelOne();

        assertThat(told("a"))
                .containsExactly(
                        "cancelled",
                        "unreadable: The entry of 18446744073709551614 has no time",
                        "unreadable: The entry of 18446744073709551614 has no time");
    }
}
