// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.FailedAttempt;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.TaskState;
import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.LeaseRef;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.StoredTask;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that do not hold what they should: foreign data, lost data, and data of a newer version. */
abstract class DamageContract extends RedisStoreContract {

    DamageContract(StoreServers servers) {
        super(servers);
    }

    @Test
    void acquireWhenThePayloadIsMissingMakesItDeadAndTakesTheRest() {
        schedule("a", 1, now - 2 * MINUTE);
        schedule("b", 2, now - MINUTE);
        redis.raw().hdel(key("tasks"), "a");

        Acquisition acquisition = acquire(10);

        assertThat(acquisition.dead()).containsExactly(Map.entry("a", "payload missing"));
        assertThat(acquisition.tasks()).extracting(AcquiredTask::id).containsExactly("b");
        ShardState after = state();
        assertThat(after.brokenInvariant()).isEmpty();
        assertThat(after.dead()).containsExactly(Map.entry("a", DeadContract.QUARANTINE + millis(acquisition)));
        assertThat(after.tasks()).containsEntry("a", "");
        assertThat(after.attempts())
                .containsExactly(Map.entry("a", "1:" + (now - 2 * MINUTE) + ":0:0:0:payload missing"));
        assertThat(get(store.tasks().find(SHARD, "a")).orElseThrow().content()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\u0000", "\u0000aaaaaaaaaaaaaaaaaaaaaaaaaa", "\u0001", "\u0001Cshort"})
    void acquireWhenTheEnvelopeIsUnreadableMakesItDeadAndTakesTheRest(String garbage) {
        schedule("a", 1, now - 2 * MINUTE);
        schedule("b", 2, now - MINUTE);
        redis.raw().hset(key("tasks"), "a", garbage);

        Acquisition acquisition = acquire(10);

        assertThat(acquisition.dead()).containsExactly(Map.entry("a", "envelope unreadable"));
        assertThat(acquisition.tasks()).extracting(AcquiredTask::id).containsExactly("b");
        assertThat(state().brokenInvariant()).isEmpty();
    }

    @Test
    void acquireWhenTheClientsPartIsUnreadableHandsItOutWithoutContent() {
        schedule("a", 1, now - MINUTE);
        redis.raw().hset(key("tasks"), "a", "\u0001C0123456789abcdef\u0009\u00ff\u00ff");

        assertThat(acquire(1).tasks()).extracting(AcquiredTask::content).containsExactly((io.delayqueue.TaskContent)
                null);
    }

    @Test
    void acquireWhenANewerVersionWroteTheEnvelopeLeavesItAloneAndTakesTheRest() {
        schedule("a", 1, now - 2 * MINUTE);
        redis.raw().hset(key("tasks"), "a", "\u0002whatever");

        Acquisition nothing = changesNothing(() -> acquire(10));
        assertThat(nothing.newer()).containsExactly("a");
        assertThat(nothing.untilNext()).isNull();

        schedule("b", 2, now - MINUTE);
        assertThat(acquire(1).tasks()).extracting(AcquiredTask::id).containsExactly("b");
        assertThat(state().index()).containsEntry("a", now - 2 * MINUTE);
    }

    @Test
    void findWhenTheRecordsNameNoProcessAndNoFailedAttemptsReadsWhatTheySay() {
        schedule("a", 1, now - MINUTE);
        long token = lease("a");
        redis.raw().hset(key("leases"), "a", "1:" + token + ":" + (now + MINUTE) + ":" + (now - 2 * MINUTE));
        redis.raw().hset(key("attempts"), "a", "1:" + (now - 2 * MINUTE) + ":3:1:0:no: answer");

        StoredTask found = get(store.tasks().find(SHARD, "a")).orElseThrow();

        assertThat(found.state()).isEqualTo(TaskState.LEASED);
        assertThat(found.dueAt().toEpochMilli()).isEqualTo(now - 2 * MINUTE);
        assertThat(found.failures()).isEqualTo(3);
        assertThat(found.lastReason()).isEqualTo("no: answer");
        assertThat(found.holder()).isNull();
        assertThat(found.failedAttempts()).isEmpty();
        settle(Settlement.retry("a", token, Duration.ZERO, true, false, "again"));
        assertThat(get(store.tasks().find(SHARD, "a")).orElseThrow().failedAttempts())
                .extracting(FailedAttempt::reason)
                .containsExactly("again");
    }

    @Test
    void findWhenATrailOrAHolderIsForeignShowsWhatCanBeRead() {
        schedule("a", 1, now - MINUTE);
        long token = lease("a");
        redis.raw()
                .hset(key("leases"), "a", "1:" + token + ":" + (now + MINUTE) + ":" + (now - MINUTE) + "@\u00ff\n@x");
        redis.raw()
                .hset(
                        key("attempts"),
                        "a",
                        "1:1:1:0:0:r\u001e\u001ex y\u001e5 \u00e9\n\u001e99999999999999999 far\u001e7 seven\u001e8\u001e9 nine");

        StoredTask found = get(store.tasks().find(SHARD, "a")).orElseThrow();

        assertThat(found.holder()).isEqualTo("\\ufffd\\u000a@x");
        assertThat(found.failedAttempts())
                .containsExactly(
                        new FailedAttempt(Instant.ofEpochMilli(7), "seven"),
                        new FailedAttempt(Instant.ofEpochMilli(5), "\\ufffd\\u000a"));
        assertThat(found.lastReason()).isEqualTo("r");
    }

    @ParameterizedTest
    @CsvSource({"leases,2:anything", "attempts,2:anything"})
    void callsWhenANewerVersionWroteARecordLeaveTheTaskAlone(String name, String record) {
        schedule("a", 1, now - MINUTE);
        redis.raw().hset(key(name), "a", record);

        assertThat(changesNothing(() -> acquire(10)).newer()).containsExactly("a");
        assertThatExceptionOfType(TaskStoreCorruptException.class)
                .isThrownBy(() -> changesNothing(() -> reschedule("a", at(now))))
                .withMessageContaining("newer version")
                .matches(ex -> !ex.mayHaveBeenApplied());
        assertThat(changesNothing(() -> settle(Settlement.ack("a", 2)))).isFalse();
        assertThat(changesNothing(() -> release("a", 2))).isFalse();
        assertThat(cancel("a")).isEqualTo(CancelOutcome.IN_FLIGHT);
        assertThat(state().tasks()).isEmpty();
    }

    @Test
    void acquireWhenOnlyTasksOfANewerVersionAreDueDoesNotAskForMoreAtOnce() {
        for (int i = 0; i < 150; i++) {
            schedule("t" + i, i, now - 2 * MINUTE);
            redis.raw().hset(key("tasks"), "t" + i, "\u0002");
        }
        schedule("later", 1, now + MINUTE);

        Acquisition nothing = changesNothing(() -> acquire(1));

        assertThat(nothing.tasks()).isEmpty();
        assertThat(nothing.newer()).hasSize(20);
        assertThat(nothing.untilNext()).isPositive();
    }

    @Test
    void acquireWhenALeaseRecordIsUnreadableTakesTheTaskAsOneWhoseLeaseRanOut() {
        schedule("a", 1, now - MINUTE);
        redis.raw().hset(key("leases"), "a", "garbage");
        redis.raw().hset(key("attempts"), "a", "garbage");

        Acquisition acquisition = acquire(1);

        assertThat(acquisition.tasks()).hasSize(1);
        assertThat(acquisition.tasks().get(0).leaseExpiries()).isEqualTo(1);
        assertThat(settle(Settlement.ack("a", acquisition.token()))).isTrue();
        assertThat(state().tasks()).isEmpty();
    }

    @Test
    void settleWhenOnlyTheTokenOfALeaseIsReadableEndsItByDeletionOnly() {
        schedule("a", 1, now - MINUTE);
        long token = lease("a");
        redis.raw().hset(key("leases"), "a", "1:" + token + ":garbage");

        assertThat(changesNothing(() -> settle(Settlement.retry("a", token, Duration.ZERO, true, false, "r"))))
                .isFalse();
        assertThat(changesNothing(() -> settle(Settlement.dead("a", token, false, "r"))))
                .isFalse();
        assertThat(changesNothing(() -> settle(Settlement.ack("a", token * 10))))
                .isFalse();
        assertThat(settle(Settlement.ack("a", token))).isTrue();
        assertThat(state().tasks()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-5", "-inf", "-1e300"})
    void acquireWhenAScoreIsNegativeStillLeasesProperly(String score) {
        schedule("a", 1, now);
        redis.raw().zadd(key("index"), Double.parseDouble(score.replace("inf", "Infinity")), "a");

        Acquisition acquisition = acquire(1);

        assertThat(acquisition.tasks()).hasSize(1);
        assertThat(acquisition.tasks().get(0).dueAt().toEpochMilli()).isZero();
        assertThat(settle(Settlement.ack("a", acquisition.token()))).isTrue();
    }

    private enum Verb {
        SCHEDULE("index", "tasks", "leases", "attempts", "dead"),
        ACQUIRE("index", "tasks", "leases", "attempts", "dead", "token"),
        ACK("index", "tasks", "leases", "attempts", "dead"),
        RETRY("index", "tasks", "leases", "attempts", "dead"),
        AGAIN("index", "tasks", "leases", "attempts", "dead"),
        DEAD("index", "tasks", "leases", "attempts", "dead"),
        RELEASE("index", "tasks", "leases", "attempts", "dead"),
        CANCEL("index", "tasks", "leases", "attempts"),
        CANCEL_DEAD("index", "tasks", "leases", "attempts", "dead"),
        RESCHEDULE("index", "leases", "attempts"),
        FIND("index", "tasks", "leases", "attempts", "dead"),
        STATS("index", "leases", "dead"),
        RENEW("index", "leases"),
        LIVE_PAGE("index", "tasks", "leases", "attempts"),
        DEAD_PAGE("tasks", "leases", "attempts", "dead"),
        REDRIVE("index", "tasks", "leases", "attempts", "dead"),
        DISCARD("tasks", "attempts", "dead"),
        TRIM_DEAD("tasks", "attempts", "dead"),
        PAUSE("leases", "paused"),
        RESUME("paused"),
        PURGE("index", "tasks", "leases", "attempts", "dead");

        private final List<String> keys;

        Verb(String... keys) {
            this.keys = List.of(keys);
        }
    }

    static Stream<Arguments> wrongTypes() {
        return Stream.of(Verb.values()).flatMap(verb -> verb.keys.stream().map(key -> Arguments.of(verb, key)));
    }

    @ParameterizedTest
    @MethodSource("wrongTypes")
    void callWhenAKeyHasAnotherTypeIsRefusedAndChangesNothing(Verb verb, String name) {
        schedule("dead", 1, now - 3 * MINUTE);
        settle(Settlement.dead("dead", lease("dead"), true, "r"));
        schedule("expired", 1, now - 3 * MINUTE);
        lease("expired");
        moveClock(LEASE.toMillis() + MINUTE);
        schedule("a", 2, now - 10 * MINUTE);
        assertThat(acquire(1).tasks()).extracting(AcquiredTask::id).containsExactly("a");
        redis.raw().del(key(name));
        redis.raw().rpush(key(name), "foreign");
        Map<String, String> before = dump();

        assertThatExceptionOfType(TaskStoreCorruptException.class)
                .isThrownBy(() -> get(call(verb)))
                .withMessageContaining("orders")
                .matches(ex -> !ex.mayHaveBeenApplied());

        assertThat(dump()).isEqualTo(before);
    }

    private Map<String, String> dump() {
        return redis.raw().keys("*").stream()
                .collect(java.util.stream.Collectors.toMap(
                        key -> key,
                        key -> new String(redis.raw().dump(key), java.nio.charset.StandardCharsets.ISO_8859_1)));
    }

    private CompletableFuture<?> call(Verb verb) {
        return switch (verb) {
            case SCHEDULE ->
                StoreCalls.schedule(
                        store,
                        SHARD,
                        List.of(task("a", 9, at(now), io.delayqueue.ConflictPolicy.REPLACE, "p"), newTask()));
            case ACQUIRE -> store.leases().acquire(SHARD, Acquires.of(10, LEASE, MAX_EXPIRED, 1 << 20, 500));
            case ACK -> store.leases().settle(SHARD, List.of(Settlement.ack("a", Long.parseLong(lastToken))));
            case RETRY ->
                store.leases()
                        .settle(
                                SHARD,
                                List.of(Settlement.retry(
                                        "a", Long.parseLong(lastToken), Duration.ZERO, true, true, "r")));
            case AGAIN ->
                store.leases()
                        .settle(
                                SHARD,
                                List.of(Settlement.again("a", Long.parseLong(lastToken), Due.after(Duration.ZERO))));
            case DEAD ->
                store.leases().settle(SHARD, List.of(Settlement.dead("a", Long.parseLong(lastToken), true, "r")));
            case RELEASE -> store.leases().settle(SHARD, List.of(Settlement.release("a", Long.parseLong(lastToken))));
            case CANCEL -> StoreCalls.cancel(store, SHARD, "a");
            case CANCEL_DEAD -> StoreCalls.cancel(store, SHARD, "dead");
            case RESCHEDULE -> StoreCalls.reschedule(store, SHARD, "a", at(now));
            case FIND -> store.tasks().find(SHARD, "a");
            case STATS -> store.shards().stats(SHARD);
            case RENEW ->
                store.leases()
                        .renew(SHARD, List.of(new LeaseRef("a", Long.parseLong(lastToken))), LEASE.multipliedBy(2));
            case LIVE_PAGE -> store.shards().page(SHARD, PageRequest.live(10).withContent(10));
            case DEAD_PAGE -> store.shards().page(SHARD, PageRequest.dead(10).withContent(1000));
            case REDRIVE -> StoreCalls.redrive(store, SHARD, StoreCalls.dueNow(List.of("dead")));
            case DISCARD -> StoreCalls.discard(store, SHARD, List.of("dead"));
            case TRIM_DEAD -> store.dead().trim(SHARD, Duration.ZERO, 500);
            case PAUSE -> store.shards().pause(SHARD);
            case RESUME -> store.shards().resume(SHARD);
            case PURGE -> store.shards().purge(SHARD, 10);
        };
    }

    private static io.delayqueue.internal.store.NewTask newTask() {
        return task("b", 8, at(1), io.delayqueue.ConflictPolicy.REPLACE, "p");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "1.5", "", "-1", "99999999999999999"})
    void acquireWhenTheTokenCounterIsNoCountIsRefusedAndChangesNothing(String counter) {
        schedule("a", 1, now - MINUTE);
        redis.raw().set(key("token"), counter);

        assertThatExceptionOfType(TaskStoreCorruptException.class)
                .isThrownBy(() -> changesNothing(() -> acquire(1)))
                .matches(ex -> !ex.mayHaveBeenApplied());
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "", "1:", "1:5:x:y", "2:1:1:z", "1:99999999999999999999"})
    void pauseWhenAnotherProgramWroteItLastsUntilResumed(String record) {
        schedule("a", 1, now - MINUTE);
        redis.raw().set(key("paused"), record);

        assertThat(acquire(10).tasks()).isEmpty();
        if (!record.isEmpty()) {
            assertThat(get(store.shards().stats(SHARD)).paused()).isTrue();
        }
        assertThat(get(store.shards().resume(SHARD))).isTrue();
        assertThat(acquire(10).tasks()).hasSize(1);
    }

    @Test
    void callsWhenTheServerForgotTheScriptsSendThemAgain() {
        redis.raw().scriptFlush();
        schedule("a", 1, now - MINUTE);
        redis.raw().scriptFlush();
        long token = lease("a");
        redis.raw().scriptFlush();
        assertThat(release("a", token)).isTrue();
        redis.raw().scriptFlush();
        assertThat(reschedule("a", at(now - 2 * MINUTE))).isEqualTo(RescheduleOutcome.RESCHEDULED);
        redis.raw().scriptFlush();
        assertThat(get(store.tasks().find(SHARD, "a"))).isPresent();
        redis.raw().scriptFlush();
        assertThat(get(store.shards().stats(SHARD)).live()).isEqualTo(1);
        redis.raw().scriptFlush();
        assertThat(cancel("a")).isEqualTo(CancelOutcome.CANCELLED);
    }
}
