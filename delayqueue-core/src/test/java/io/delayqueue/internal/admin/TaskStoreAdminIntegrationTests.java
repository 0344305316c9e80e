// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.ListedTask;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.TaskContent;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskPage;
import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.UnknownQueueException;
import io.delayqueue.admin.KeyLimits;
import io.delayqueue.admin.PurgeResult;
import io.delayqueue.admin.RedriveResult;
import io.delayqueue.admin.TaskQuery;
import io.delayqueue.admin.WaitingKey;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoreCalls;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaskStoreAdminIntegrationTests {

    private static final String QUEUE = "orders";
    private static final int SHARDS = 4;

    private final StoreFixture redis = new StoreFixture();
    private final TaskStoreAdmin admin = redis.admin(RedriveProcess.queues(QUEUE, SHARDS));

    @AfterEach
    void close() {
        redis.close();
    }

    /** Each in the shard of its id. */
    private List<String> makeDead(int tasks) {
        List<String> ids = IntStream.range(0, tasks).mapToObj(i -> "t" + i).toList();
        for (int shard = 0; shard < SHARDS; shard++) {
            int number = shard;
            redis.makeDead(
                    new Shard(QUEUE, shard),
                    ids.stream()
                            .filter(id -> Sharding.initial(SHARDS).homeOf(id) == number)
                            .toList());
        }
        return ids;
    }

    private void assertInvariants() {
        for (int shard = 0; shard < SHARDS; shard++) {
            assertThat(redis.brokenInvariant(new Shard(QUEUE, shard))).isEmpty();
        }
    }

    @Test
    void changesWhenTheTaskIsAsItWasReadAreMadeAndOtherwiseNot() {
        for (String id : List.of("live", "moved")) {
            StoreCalls.schedule(redis.store(), new Shard(QUEUE, home(id)), List.of(redis.task(id)))
                    .join();
        }
        Instant due = only(admin.liveTasks(QUEUE, TaskQuery.first(9)), "live");
        Instant dueLater = only(admin.liveTasks(QUEUE, TaskQuery.first(9)), "moved");
        makeDead(2);
        redis.putDead(new Shard(QUEUE, home("unreadable")), "unreadable", 1_000_000_000_000_500L);
        Instant died = only(admin.deadTasks(QUEUE, TaskQuery.first(9)), "t0");
        Instant otherDied = only(admin.deadTasks(QUEUE, TaskQuery.first(9)), "t1");

        for (Instant other : List.of(due.plusMillis(1), due.minusMillis(1), Instant.EPOCH)) {
            assertThat(admin.cancel(QUEUE, "live", other)).isEqualTo(CancelOutcome.NOT_FOUND);
            assertThat(admin.reschedule(QUEUE, "live", Due.now(), other)).isEqualTo(RescheduleOutcome.NOT_FOUND);
            assertThat(admin.cancel(QUEUE, "t0", other)).isEqualTo(CancelOutcome.NOT_FOUND);
            assertThat(admin.redrive(QUEUE, "t0", other)).isFalse();
            assertThat(admin.discard(QUEUE, "t0", other)).isFalse();
        }
        assertThat(admin.redrive(QUEUE, "live", due)).isFalse();
        assertThat(admin.discard(QUEUE, "live", due)).isFalse();
        assertThat(admin.stats(QUEUE).delayed()).isEqualTo(2);
        assertThat(admin.stats(QUEUE).dead()).isEqualTo(3);

        assertThat(admin.reschedule(QUEUE, "moved", Due.at(dueLater.plusSeconds(9)), dueLater))
                .isEqualTo(RescheduleOutcome.RESCHEDULED);
        assertThat(admin.cancel(QUEUE, "moved", dueLater)).isEqualTo(CancelOutcome.NOT_FOUND);
        assertThat(admin.cancel(QUEUE, "moved", dueLater.plusSeconds(9))).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(admin.cancel(QUEUE, "live", due)).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(admin.redrive(QUEUE, "t0", died)).isTrue();
        assertThat(admin.discard(QUEUE, "t1", otherDied)).isTrue();
        assertThat(admin.cancel(QUEUE, "unreadable", Instant.ofEpochMilli(500)))
                .isEqualTo(CancelOutcome.DISCARDED_DEAD);
        assertThat(admin.stats(QUEUE).dead()).isZero();
        assertInvariants();
    }

    private static Instant only(TaskPage<ListedTask> page, String id) {
        return page.content().stream()
                .filter(task -> task.id().equals(id))
                .map(ListedTask::nextAttentionAt)
                .findFirst()
                .orElseThrow();
    }

    private static int home(String id) {
        return Sharding.initial(SHARDS).homeOf(id);
    }

    /** Several tasks died in the same millisecond, and one is quarantined. */
    @Test
    void deadTasksWhenTheNewestAreFirstAreInOneOrderOverAllShards() {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            redis.putDead(new Shard(QUEUE, i % 3), "t" + i, 1000 + i / 6);
        }
        redis.putDead(new Shard(QUEUE, 3), "late", 2000);
        redis.putDead(new Shard(QUEUE, 3), "unreadable", 1_000_000_000_000_500L);

        for (int size : new int[] {1, 2, 5, 42, 500}) {
            List<String> seen = new ArrayList<>();
            List<Instant> deaths = new ArrayList<>();
            TaskQuery query = TaskQuery.first(size).newestFirst();
            TaskPage<ListedTask> dead;
            do {
                dead = admin.deadTasks(QUEUE, query);
                assertThat(dead.content()).hasSizeLessThanOrEqualTo(size);
                dead.content().forEach(task -> {
                    seen.add(task.id());
                    deaths.add(task.nextAttentionAt());
                });
                query = query.after(dead.position());
            } while (dead.hasNext());
            assertThat(seen).hasSize(42).doesNotHaveDuplicates().startsWith("unreadable", "late");
            assertThat(deaths.subList(1, 42)).isSortedAccordingTo(Comparator.reverseOrder());
            if (expected.isEmpty()) {
                expected.addAll(seen);
            }
            assertThat(seen).as("pages of " + size).isEqualTo(expected);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> admin.liveTasks(QUEUE, TaskQuery.first(1).newestFirst()))
                .withMessageContaining("newestFirst()");
    }

    @Test
    void deadTasksWhenTheNewestAreFirstAndAreReadWithContentHaveIt() {
        makeDead(9);

        TaskPage<ListedTask> dead =
                admin.deadTasks(QUEUE, TaskQuery.first(20).newestFirst().includingContent());

        assertThat(dead.content()).hasSize(9).allMatch(task -> task.content().isPresent());
        assertThat(dead.hasNext()).isFalse();
    }

    @Test
    void deadTasksWhenContentIsAskedForCarryItButNeverShowIt() {
        makeDead(1);

        ListedTask without =
                admin.deadTasks(QUEUE, TaskQuery.first(1)).content().get(0);
        ListedTask with = admin.deadTasks(QUEUE, TaskQuery.first(1).includingContent())
                .content()
                .get(0);

        assertThat(without.content()).isEmpty();
        assertThat(without.lastReason()).contains("out of attempts");
        assertThat(without.failures()).isEqualTo(1);
        assertThat(without.dueAt().toEpochMilli()).isZero();
        assertThat(new String(with.content().orElseThrow().payload(), StandardCharsets.UTF_8))
                .isEqualTo("{}");
        assertThat(with.toString()).contains("t0", "out of attempts").doesNotContain("{}");
        assertThat(with.content().orElseThrow().toString()).doesNotContain("{}");
    }

    @Test
    void queryWhenItAsksForWhatCannotBeReadIsRefused() {
        TaskQuery query = TaskQuery.first(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> admin.deadTasks(QUEUE, query.withIdPrefix("t")))
                .withMessageContaining("cannot have conditions");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> admin.deadTasks(QUEUE, query.between(Instant.EPOCH, null)))
                .withMessageContaining("cannot have conditions");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> admin.deadTasks(QUEUE, query.after("invented")))
                .withMessageContaining("position");
    }

    @Test
    void liveTasksWhenThePeriodStartsWithinAMillisecondStartWithTheNextAndEnd() {
        Instant due = Instant.parse("2099-01-01T00:00:00Z");
        TaskContent content = new TaskContent("text/plain", Map.of(), new byte[0]);
        StoreCalls.schedule(
                        redis.store(),
                        new Shard(QUEUE, 0),
                        IntStream.range(0, 12)
                                .mapToObj(i -> new NewTask(
                                        "t" + i,
                                        new byte[16],
                                        new Due(false, due.toEpochMilli()),
                                        ConflictPolicy.KEEP,
                                        content,
                                        0))
                                .toList())
                .join();

        assertThat(admin.liveTasks(QUEUE, TaskQuery.first(5).between(due.plusNanos(1_000), null))
                        .content())
                .isEmpty();
        List<String> ids = new ArrayList<>();
        TaskQuery query = TaskQuery.first(5).between(due.minusNanos(1), null);
        for (int pages = 0; pages < 5; pages++) {
            TaskPage<ListedTask> page = admin.liveTasks(QUEUE, query);
            page.content().forEach(task -> ids.add(task.id()));
            if (!page.hasNext()) {
                break;
            }
            query = query.after(page.position());
        }
        assertThat(ids).hasSize(12).doesNotHaveDuplicates();
    }

    @Test
    void redriveWhenIdsAreGivenMakesTheDeadOnesLiveAndNamesTheOthers() {
        makeDead(20);

        assertThat(admin.redrive(QUEUE, "t3")).isTrue();
        assertThat(admin.redrive(QUEUE, "t3")).isFalse();
        RedriveResult result = admin.redrive(QUEUE, List.of("t3", "t4", "t5", "t5", "absent"));

        assertThat(result.redriven()).isEqualTo(2);
        assertThat(result.skipped()).containsExactlyInAnyOrder("t3", "absent");
        assertThat(result.lastDueAt()).isPresent();
        assertThat(admin.stats(QUEUE).ready()).isEqualTo(3);
        assertThat(admin.stats(QUEUE).dead()).isEqualTo(17);
        assertInvariants();
    }

    @Test
    void redriveAllWhenNothingIsDeadDoesNothingAndRefusesAPaceThatIsNone() {
        assertThat(admin.redriveAll(QUEUE, 10)).isEqualTo(new RedriveResult(0, List.of(), Optional.empty()));
        assertThatIllegalArgumentException().isThrownBy(() -> admin.redriveAll(QUEUE, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> admin.redriveAll(QUEUE, 1_000_001));
        assertThatIllegalArgumentException().isThrownBy(() -> TaskQuery.first(0));
        assertThatIllegalArgumentException().isThrownBy(() -> TaskQuery.first(501));
    }

    @Test
    void pauseWhenCalledIsSeenInTheListUntilResumed() {
        assertThat(admin.statsByQueue().keySet()).isEqualTo(Set.of(QUEUE));
        assertThat(admin.isPaused(QUEUE)).isFalse();
        admin.pause(QUEUE);
        admin.pause(QUEUE);
        assertThat(admin.statsByQueue().get(QUEUE).paused()).isTrue();
        admin.resume(QUEUE);
        assertThat(admin.isPaused(QUEUE)).isFalse();
    }

    @Test
    void purgeWhenTheNameIsNotGivenAgainDeletesNothing() {
        makeDead(3);

        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> admin.purge(QUEUE, "order"))
                .withMessageContaining("'orders'")
                .withMessageContaining("'order'");
        assertThatExceptionOfType(UnknownQueueException.class).isThrownBy(() -> admin.purge("nope", "nope"));
        assertThat(admin.stats(QUEUE).dead()).isEqualTo(3);
    }

    @Test
    void purgeWhenConfirmedEmptiesEveryShardAndKeepsThePause() {
        makeDead(1_500);
        admin.redrive(QUEUE, IntStream.range(0, 700).mapToObj(i -> "t" + i).toList());
        admin.pause(QUEUE);

        assertThat(admin.purge(QUEUE, QUEUE)).isEqualTo(new PurgeResult(700, 0, 800, 0));

        assertThat(admin.stats(QUEUE).ready()).isZero();
        assertThat(admin.stats(QUEUE).dead()).isZero();
        assertThat(admin.isPaused(QUEUE)).isTrue();
        assertInvariants();
    }

    /** Otherwise an operator who has emptied three of four shards reads that nothing was changed. */
    @Test
    void callsWhenALaterShardFailsSayThatAPartMayHaveBeenMade() {
        List<String> ids = makeDead(800);
        Shard last = new Shard(QUEUE, SHARDS - 1);

        redis.damage(last, "paused");
        assertPart(() -> admin.pause(QUEUE), "the call changed other shards");
        assertPart(() -> admin.resume(QUEUE), "the call changed other shards");
        redis.remove(last, "paused");
        redis.damage(last, "holds");
        assertPart(() -> admin.discard(QUEUE, ids.subList(0, 8)), "the call changed other tasks");
        assertPart(() -> admin.redrive(QUEUE, ids.subList(8, 20)), "the call changed other tasks");
        redis.remove(last, "holds");
        redis.damage(last, "attempts");
        assertPart(() -> admin.redriveAll(QUEUE, 1000), "the call redrove 500 tasks");
        long others = ids.stream().skip(8).filter(id -> home(id) < SHARDS - 1).count();
        assertPart(() -> admin.purge(QUEUE, QUEUE), "the call deleted " + others + " tasks");
    }

    /** In contrast to a call that fails at its first step. */
    @Test
    void callsWhenTheFirstShardFailsSayThatNothingWasChanged() {
        List<String> ids = makeDead(40);
        for (String part : List.of("paused", "holds", "dead")) {
            redis.damage(new Shard(QUEUE, 0), part);
        }

        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> admin.pause(QUEUE),
                () -> admin.discard(QUEUE, ids),
                () -> admin.redriveAll(QUEUE, 1000),
                () -> admin.purge(QUEUE, QUEUE))) {
            assertThatExceptionOfType(TaskStoreCorruptException.class)
                    .isThrownBy(call)
                    .matches(ex -> !ex.mayHaveBeenApplied());
        }
    }

    private static void assertPart(ThrowingCallable call, String part) {
        assertThatExceptionOfType(TaskStoreCorruptException.class)
                .isThrownBy(call)
                .withMessageContaining(part)
                .matches(TaskStoreException::mayHaveBeenApplied);
    }

    @Test
    void keyLimitsWhenSetAreReadByAnotherProcessUntilTheyAreRemoved() {
        KeyLimits limits = KeyLimits.rate(20, Duration.ofSeconds(1)).withConcurrency(3);
        String key = "clinic 17 {a}%";
        admin.setKeyLimits(QUEUE, key, limits);
        admin.closeKey(QUEUE, key, Instant.parse("2999-01-01T00:00:00Z"));

        TaskStoreAdmin another = redis.admin(RedriveProcess.queues(QUEUE, SHARDS));
        assertThat(another.keyLimits(QUEUE, key)).isEqualTo(limits);
        assertThat(another.keyClosedUntil(QUEUE, key)).contains(Instant.parse("2999-01-01T00:00:00Z"));
        assertThat(another.keyLimits(QUEUE, "clinic-18")).isEqualTo(KeyLimits.NONE);

        admin.openKey(QUEUE, key);
        assertThat(admin.keyClosedUntil(QUEUE, key)).isEmpty();
        assertThat(admin.keyLimits(QUEUE, key)).isEqualTo(limits);
        admin.setKeyLimits(QUEUE, key, KeyLimits.NONE);
        assertThat(admin.keyLimits(QUEUE, key)).isEqualTo(KeyLimits.NONE);
    }

    @Test
    void waitingKeysWhenManyWaitAreTheTenWithTheMostTasks() {
        String most = "clinic 17 {a}%";
        holdBack("k%d", 1000, key -> 1);
        holdBack("big%02d", 12, key -> 2 + key);
        holdBack(most.replace("%", "%%"), 1, key -> 30);

        List<WaitingKey> keys = admin.waitingKeys(QUEUE);

        assertThat(keys)
                .extracting(WaitingKey::key)
                .containsExactly(most, "big11", "big10", "big09", "big08", "big07", "big06", "big05", "big04", "big03");
        assertThat(keys).extracting(WaitingKey::waiting).containsExactly(30L, 13L, 12L, 11L, 10L, 9L, 8L, 7L, 6L, 5L);
        assertThat(keys)
                .allSatisfy(key -> assertThat(Duration.between(admin.now(QUEUE), key.nextTurn()))
                        .isBetween(Duration.ofHours(23), Duration.ofDays(1)));
        assertThat(admin.waitingKey(QUEUE, most)).contains(keys.get(0));
        assertThat(admin.waitingKey(QUEUE, "k999").orElseThrow().waiting()).isEqualTo(1);
        assertThat(admin.waitingKey(QUEUE, "k")).isEmpty();
    }

    @Test
    void waitingKeyWhenItIsClosedHasItsTurnWhenItOpens() {
        Instant opens = Instant.parse("2999-01-01T00:00:00Z");
        admin.closeKey(QUEUE, "k0", opens);
        holdBack("k%d", 1, key -> 3);

        assertThat(admin.waitingKey(QUEUE, "k0")).contains(new WaitingKey("k0", 4, opens));

        admin.openKey(QUEUE, "k0");
        assertThat(admin.waitingKey(QUEUE, "k0").orElseThrow().nextTurn())
                .isBeforeOrEqualTo(admin.now(QUEUE).plusMillis(1));
        assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> admin.waitingKey(QUEUE, " "));
    }

    /** Has one task of each key delivered, and the given number held back. */
    private void holdBack(String form, int keys, IntUnaryOperator waiting) {
        TaskContent content = new TaskContent("text/plain", Map.of(), new byte[0]);
        Due now = Due.after(Duration.ZERO);
        Map<Integer, List<NewTask>> byShard = new TreeMap<>();
        for (int key = 0; key < keys; key++) {
            for (int task = 0; task <= waiting.applyAsInt(key); task++) {
                String id = TaskIds.of(form.formatted(key), null, "t" + task);
                byShard.computeIfAbsent(Sharding.initial(SHARDS).homeOf(id), any -> new ArrayList<>())
                        .add(new NewTask(id, new byte[16], now, ConflictPolicy.KEEP, content, 0));
            }
        }
        KeyLimits onceADay = KeyLimits.rate(1, Duration.ofDays(1));
        byShard.forEach((number, tasks) -> {
            Shard shard = new Shard(QUEUE, number);
            for (int from = 0; from < tasks.size(); from += 500) {
                StoreCalls.schedule(redis.store(), shard, tasks.subList(from, Math.min(tasks.size(), from + 500)))
                        .join();
            }
            boolean isLast;
            do {
                isLast = redis.store()
                        .leases()
                        .acquireLimited(shard, Acquires.of(500, Duration.ofMinutes(1), 5, 1 << 20, 500), onceADay)
                        .join()
                        .tasks()
                        .isEmpty();
            } while (!isLast);
        });
    }

    @Test
    void keyLimitsWhenTheKeyOrALimitIsInvalidAreRefused() {
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> admin.setKeyLimits(QUEUE, " ", KeyLimits.NONE))
                .withMessageContaining("key");
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> admin.closeKey(QUEUE, "a\nb", Instant.MAX))
                .withMessageContaining("control character");
        assertThatExceptionOfType(UnknownQueueException.class).isThrownBy(() -> admin.openKey("unknown", "k"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyLimits.NONE.withConcurrency(0))
                .withMessageContaining("concurrency");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyLimits.rate(1, Duration.ofDays(2)))
                .withMessageContaining("rate");
    }
}
