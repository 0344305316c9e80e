// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.ScriptRunner;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Creates the stores of tests. */
public final class TestStores {

    private TestStores() {}

    /** Returns a store without histories on the servers' clocks. */
    public static TaskStore of(RedisConnections connections, RedisKeys keys, Duration timeout) {
        return of(connections, keys, timeout, () -> 0);
    }

    /** Returns a store without histories whose clock is ahead of the servers'. */
    public static TaskStore of(
            RedisConnections connections, RedisKeys keys, Duration timeout, LongSupplier aheadMillis) {
        return of(connections, keys, timeout, queue -> 0, ahead(aheadMillis));
    }

    /** Returns a store that waits for replicas as long as it may. */
    public static TaskStore of(
            RedisConnections connections,
            RedisKeys keys,
            Duration timeout,
            ToIntFunction<String> historyLengths,
            QueueClock clock) {
        return of(connections, keys, timeout, TaskStore.longestReplicasTimeout(timeout), historyLengths, clock);
    }

    public static TaskStore of(
            RedisConnections connections,
            RedisKeys keys,
            Duration timeout,
            Duration replicasTimeout,
            ToIntFunction<String> historyLengths,
            QueueClock clock) {
        return new TaskStore(
                new ScriptRunner(connections, timeout, replicasTimeout), keys, timeout, historyLengths, clock);
    }

    /** Returns a running clock that is ahead of the servers'. */
    public static QueueClock ahead(LongSupplier millis) {
        return new QueueClock() {

            @Override
            public @Nullable Instant standstill() {
                return null;
            }

            @Override
            public long aheadMillis() {
                return millis.getAsLong();
            }
        };
    }
}
