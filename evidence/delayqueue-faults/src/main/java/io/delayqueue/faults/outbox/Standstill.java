// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import io.delayqueue.test.server.RedisServer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Has a Redis stand still for a while, and says how long that was: what is sent to it meanwhile it does afterwards. */
final class Standstill {

    private final RedisServer redis;
    private volatile @Nullable CompletableFuture<Long> current;

    Standstill(RedisServer redis) {
        this.redis = redis;
    }

    /** Returns as soon as it stands still; it goes on by itself. */
    Fate lasting(long millis) {
        return mortal -> {
            long before = System.nanoTime();
            redis.suspend();
            current = CompletableFuture.supplyAsync(
                    () -> {
                        redis.resume();
                        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
                    },
                    CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS));
        };
    }

    /** Returns when it has gone on, after so many milliseconds; 0 if it has not stood still since the last call. */
    long await() {
        CompletableFuture<Long> awaited = current;
        current = null;
        return awaited == null ? 0 : awaited.join();
    }
}
