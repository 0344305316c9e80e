// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.ScheduleMode;
import io.delayqueue.internal.store.SendPermit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Layouts and claims as they stand in their keys. */
abstract class RedisLayoutContract extends LayoutContract {

    private final TestRedis redis;

    RedisLayoutContract(StoreServers servers) {
        super(servers.shared());
        this.redis = servers.shared();
    }

    private static String key(String name) {
        return ShardState.key(SHARD, name);
    }

    @Test
    void everyFencedCallWhenItsLayoutIsNewerLeavesForeignRecordsOfTheEmptyIdAlone() {
        redis.raw().hset(key("tasks"), "", "foreign");
        redis.raw().hset(key("attempts"), "", "foreign");
        for (var call : fenced()) {
            redis.raw().set(key("layout"), "1:1:1:1:0");
            get(call.apply(NEW));
            assertThat(state().tasks()).containsEntry("", "foreign");
            assertThat(state().attempts()).containsEntry("", "foreign");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"leases", "attempts", "dead", "index"})
    void fencedCallsWhenAKeyHasAnotherTypeAreRefusedBeforeTheyLeaveTheirLayout(String part) {
        redis.raw().set(key("layout"), OLD.text());
        schedule("a", 1, now + MINUTE);
        redis.raw().del(key(part));
        redis.raw().lpush(key(part), "x");
        List<Function<LayoutVersion, CompletableFuture<?>>> calls = List.of(
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
                version -> store.tasks().cancel(SHARD, version, "a"),
                version -> store.tasks().find(SHARD, version, "a"));
        for (var call : calls) {
            try {
                get(call.apply(NEW));
                redis.raw().set(key("layout"), OLD.text());
            } catch (TaskStoreCorruptException ex) {
                assertThat(layoutSeen()).isEqualTo(OLD.text());
            }
        }
        redis.raw().del(key(part));
    }

    @Test
    void claimsWhenMadeExpire() {
        Duration time = Duration.ofMinutes(1);

        get(layouts().claimMigrator("orders", "a", time));
        get(layouts().claimForwarder("orders", "a", time));

        assertThat(redis.raw().pttl("dq:{orders}:migrator")).isBetween(1L, 60_000L);
        assertThat(redis.raw().pttl("dq:{orders}:forwarder")).isBetween(1L, 60_000L);
    }
}
