// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import io.delayqueue.test.server.RedisServer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Freezes a Redis for a while and measures the time. Afterwards, Redis executes the calls that it received during this
 * time.
 */
final class Standstill {

    private final RedisServer redis;
    private volatile @Nullable CompletableFuture<Long> current;

    Standstill(RedisServer redis) {
        this.redis = redis;
    }

    /** Returns a fate that freezes Redis and does not wait; Redis continues after this time. */
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

    /**
     * Waits until it continues and returns the duration of the freeze in milliseconds; 0 if it was not frozen since the
     * last call.
     */
    long await() {
        CompletableFuture<Long> awaited = current;
        current = null;
        return awaited == null ? 0 : awaited.join();
    }
}
