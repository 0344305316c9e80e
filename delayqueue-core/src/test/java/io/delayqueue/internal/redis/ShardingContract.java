// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.internal.calls.SendPermit;
import io.delayqueue.internal.calls.ShardingChangedException;
import io.delayqueue.internal.store.MigrationHold;
import io.delayqueue.internal.store.MigrationPage;
import io.delayqueue.internal.store.ScheduleMode;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingRecord;
import io.delayqueue.internal.store.ShardingStore;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoreCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fence against stale shardings, and the record of a queue's sharding. */
abstract class ShardingContract extends RedisStoreContract {

    static final ShardingVersion OLD = new ShardingVersion("1:7:1:1:0");
    static final ShardingVersion NEW = new ShardingVersion("1:8:3:1:1");

    ShardingContract(StoreServers servers) {
        super(servers);
    }

    String shardingSeen() {
        return get(shardings().shardingSeen(SHARD));
    }

    ShardingStore shardings() {
        return store.shardings();
    }

    /** A task that another shard holds for a migration. */
    private List<MigrationHold.Item> held() {
        Shard other = new Shard("orders", 5);
        get(StoreCalls.schedule(store, other, List.of(task("y", 7, at(now), ConflictPolicy.REPLACE, "migrated"))));
        return get(store.migrations().hold(other, ShardingVersion.NONE, List.of("y"), Duration.ofMinutes(5), 1000))
                .tasks();
    }

    /** Returns every call that depends on a sharding. */
    List<Function<ShardingVersion, CompletableFuture<?>>> fenced() {
        List<MigrationHold.Item> held = held();
        return List.of(
                version -> store.tasks()
                        .schedule(
                                SHARD,
                                version,
                                ScheduleMode.EACH,
                                0,
                                new SendPermit(),
                                List.of(task("x", 9, at(now), ConflictPolicy.REPLACE, "p"))),
                version -> StoreCalls.cancel(store, SHARD, version, "a"),
                version -> StoreCalls.reschedule(store, SHARD, version, "a", at(now)),
                version -> store.tasks().find(SHARD, version, "a"),
                version -> store.dead().redrive(SHARD, version, StoreCalls.dueNow(List.of("a")), null),
                version -> store.dead().discard(SHARD, version, List.of("a"), null),
                version -> store.migrations().scan(SHARD, version, MigrationPage.START, 10),
                version -> store.migrations().takeIn(SHARD, version, Instant.ofEpochMilli(now + MINUTE), 0, held),
                version -> store.migrations().hold(SHARD, version, List.of("a"), Duration.ofSeconds(1), 1000));
    }

    @Test
    void everyFencedCallWhenItsShardingIsOlderIsRefusedWithTheNewerOneAndChangesNothing() {
        schedule("a", 1, now + MINUTE);
        get(store.tasks().find(SHARD, NEW, "a"));
        for (var call : fenced()) {
            changesNothing(() -> assertThatExceptionOfType(ShardingChangedException.class)
                    .isThrownBy(() -> get(call.apply(OLD)))
                    .satisfies(ex -> assertThat(ex.sharding()).isEqualTo(NEW.text()))
                    .satisfies(ex -> assertThat(ex.mayHaveBeenApplied()).isFalse()));
            assertThat(shardingSeen()).isEqualTo(NEW.text());
        }
    }

    @Test
    void everyFencedCallWhenItsShardingIsNewerLeavesItBehind() {
        get(store.tasks().find(SHARD, new ShardingVersion("1:1:1:1:0"), "a"));
        long epoch = 8;
        for (var call : fenced()) {
            ShardingVersion newer = new ShardingVersion("1:" + epoch++ + ":3:1:1");
            get(call.apply(newer));
            assertThat(shardingSeen()).isEqualTo(newer.text());
        }
    }

    @Test
    void fencedCallsWhenTheShardIsNewOrTheShardingIsTheSameGoOn() {
        assertThat(get(StoreCalls.cancel(store, SHARD, OLD, "a"))).isEqualTo(CancelOutcome.NOT_FOUND);
        assertThat(shardingSeen()).isEqualTo(OLD.text());
        assertThat(get(StoreCalls.cancel(store, SHARD, OLD, "a"))).isEqualTo(CancelOutcome.NOT_FOUND);
        assertThat(get(StoreCalls.cancel(store, SHARD, NEW, "a"))).isEqualTo(CancelOutcome.NOT_FOUND);
        assertThat(get(StoreCalls.cancel(store, SHARD, "a")))
                .as("by no sharding")
                .isEqualTo(CancelOutcome.NOT_FOUND);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3:whatever", "rubbish"})
    void fencedCallsWhenANewerVersionWroteTheShardingAreRefused(String newer) {
        get(store.tasks().find(SHARD, new ShardingVersion(newer), "a"));
        assertThatExceptionOfType(ShardingChangedException.class)
                .isThrownBy(() -> get(StoreCalls.reschedule(store, SHARD, NEW, "a", at(now))))
                .satisfies(ex -> assertThat(ex.sharding()).isEqualTo(newer));
    }

    @Test
    void scheduleWhenOnlyHeldOnesAreMeantLeavesTheOthersAlone() {
        schedule("held", 1, now + MINUTE);

        List<ScheduleReply> replies = get(store.tasks()
                .schedule(
                        SHARD,
                        NEW,
                        ScheduleMode.ONLY_STORED,
                        0,
                        new SendPermit(),
                        List.of(
                                task("held", 2, at(now + 2 * MINUTE), ConflictPolicy.REPLACE, "p2"),
                                task("other", 3, at(now), ConflictPolicy.REPLACE, "p3"))));

        assertThat(replies.get(0).state()).isEqualTo(ScheduleReply.State.DONE);
        assertThat(replies.get(1)).isEqualTo(ScheduleReply.absent(0));
        assertThat(state().index()).containsOnlyKeys("held").containsEntry("held", now + 2 * MINUTE);
    }

    @Test
    void putShardingWhenAnotherOneIsRecordedChangesNothingAndSaysSo() {
        ShardingStore shardings = shardings();
        assertThat(get(shardings.sharding("orders"))).isEqualTo(new ShardingRecord(false, ""));

        ShardingRecord first = get(shardings.putSharding("orders", 0, 0, "4:4:0"));
        assertThat(first.recorded()).isTrue();
        long epoch = Long.parseLong(first.text().split(":")[1]);
        assertThat(first.text()).isEqualTo("1:" + epoch + ":4:4:0");
        assertThat(epoch).isBetween(now, state().serverMillis());

        assertThat(get(shardings.putSharding("orders", 0, 0, "9:9:0")))
                .as("as when the first answer was lost")
                .isEqualTo(new ShardingRecord(false, first.text()));
        ShardingRecord second = get(shardings.putSharding("orders", epoch, epoch + 100_000, "8:4:4"));
        assertThat(second).isEqualTo(new ShardingRecord(true, "1:" + (epoch + 100_001) + ":8:4:4"));
        assertThat(get(shardings.sharding("orders"))).isEqualTo(new ShardingRecord(false, second.text()));
    }

    @Test
    void putShardingWhenOneWasLostRecordsItWithTheLowestEpoch() {
        assertThat(get(shardings().putSharding("orders", 0, 7, "4:4:0", true)))
                .isEqualTo(new ShardingRecord(true, "1:8:4:4:0"));
    }

    @Test
    void shardingSeenWhenACallerWentByAShardingAnswersTheNewest() {
        assertThat(get(shardings().shardingSeen(SHARD))).isEmpty();
        get(store.tasks().find(SHARD, NEW, "a"));
        assertThat(get(shardings().shardingSeen(SHARD))).isEqualTo(NEW.text());
    }

    @Test
    void claimMigratorWhenAnotherProcessHasItIsRefusedUntilItIsGivenUp() {
        ShardingStore shardings = shardings();
        Duration time = Duration.ofMinutes(1);
        assertThat(get(shardings.claimMigrator("orders", "a", time))).isTrue();
        assertThat(get(shardings.claimMigrator("orders", "a", time))).isTrue();
        assertThat(get(shardings.claimMigrator("orders", "b", time))).isFalse();
        assertThat(get(shardings.claimMigrator("orders", "b", Duration.ZERO))).isFalse();
        assertThat(get(shardings.claimMigrator("orders", "a", Duration.ZERO))).isTrue();
        assertThat(get(shardings.claimMigrator("orders", "b", time))).isTrue();
    }

    @Test
    void claimForwarderWhenAnotherProcessHasItIsRefusedUntilItIsGivenUpWhoeverMoves() {
        ShardingStore shardings = shardings();
        Duration time = Duration.ofMinutes(1);
        assertThat(get(shardings.claimMigrator("orders", "b", time))).isTrue();
        assertThat(get(shardings.claimForwarder("orders", "a", time))).isTrue();
        assertThat(get(shardings.claimForwarder("orders", "b", time))).isFalse();
        assertThat(get(shardings.claimForwarder("orders", "a", Duration.ZERO))).isTrue();
        assertThat(get(shardings.claimForwarder("orders", "b", time))).isTrue();
    }

    @Test
    void rescheduleWhenItsShardingIsInForceMoves() {
        schedule("a", 1, now + MINUTE);
        assertThat(get(StoreCalls.reschedule(store, SHARD, NEW, "a", at(now))))
                .isEqualTo(RescheduleOutcome.RESCHEDULED);
    }

    @Test
    void everyFencedCallWhenItsShardingIsNewerLeavesForeignRecordsOfTheEmptyIdAlone() {
        redis.raw().hset(key("tasks"), "", "foreign");
        redis.raw().hset(key("attempts"), "", "foreign");
        for (var call : fenced()) {
            redis.raw().set(key("sharding"), "1:1:1:1:0");
            get(call.apply(NEW));
            assertThat(state().tasks()).containsEntry("", "foreign");
            assertThat(state().attempts()).containsEntry("", "foreign");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"leases", "attempts", "dead", "index"})
    void fencedCallsWhenAKeyHasAnotherTypeAreRefusedBeforeTheyLeaveTheirSharding(String part) {
        redis.raw().set(key("sharding"), OLD.text());
        schedule("a", 1, now + MINUTE);
        redis.raw().del(key(part));
        redis.raw().lpush(key(part), "x");
        List<Function<ShardingVersion, CompletableFuture<?>>> calls = List.of(
                version -> store.tasks()
                        .schedule(
                                SHARD,
                                version,
                                ScheduleMode.EACH,
                                0,
                                new SendPermit(),
                                List.of(task("a", 9, at(now), ConflictPolicy.REPLACE, "p"))),
                version -> store.tasks()
                        .schedule(
                                SHARD,
                                version,
                                ScheduleMode.EACH,
                                0,
                                new SendPermit(),
                                List.of(task("new", 9, at(now), ConflictPolicy.REPLACE, "p"))),
                version -> StoreCalls.cancel(store, SHARD, version, "a"),
                version -> store.tasks().find(SHARD, version, "a"));
        for (var call : calls) {
            try {
                get(call.apply(NEW));
                redis.raw().set(key("sharding"), OLD.text());
            } catch (TaskStoreCorruptException ex) {
                assertThat(shardingSeen()).isEqualTo(OLD.text());
            }
        }
        redis.raw().del(key(part));
    }

    @Test
    void claimsWhenMadeExpire() {
        Duration time = Duration.ofMinutes(1);

        get(shardings().claimMigrator("orders", "a", time));
        get(shardings().claimForwarder("orders", "a", time));

        assertThat(redis.raw().pttl("dq:{orders}:migrator")).isBetween(1L, 60_000L);
        assertThat(redis.raw().pttl("dq:{orders}:forwarder")).isBetween(1L, 60_000L);
    }
}
