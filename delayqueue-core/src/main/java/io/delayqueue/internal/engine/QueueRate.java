// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.TaskStoreException;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Throttle;
import io.delayqueue.internal.queue.Rate;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.RateTokens;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rate of a queue over all shards and processes. Each acquire first takes tokens from Redis and later returns the
 * unused ones. Thread-safe.
 */
record QueueRate(String queue, ShardStore store, long intervalNanos, int burst, Throttle notReturned) {

    private static final Logger log = LoggerFactory.getLogger(QueueRate.class);

    /**
     * Maximum time until the next scan. Another shard may have taken more tokens than it needs, and returns them
     * without a signal.
     */
    private static final Duration LONGEST_WAIT = Duration.ofMillis(250);

    QueueRate(String queue, ShardStore store, Rate rate) {
        this(
                queue,
                store,
                Math.max(1, Math.round(1e9 / rate.perSecond())),
                rate.atOnce(),
                new Throttle(Duration.ofMinutes(1)));
    }

    /** Acquires as many tasks as there are tokens, at most as many as requested. */
    CompletableFuture<Acquisition> acquire(
            Shard shard, AcquireRequest request, Function<AcquireRequest, CompletableFuture<Acquisition>> acquire) {
        return store.takeTokens(queue, intervalNanos, burst, request.limit(), 0, 0)
                .thenCompose(tokens -> {
                    if (tokens.taken() == 0) {
                        return CompletableFuture.completedFuture(nothing(shard, tokens));
                    }
                    return acquire.apply(request.limitedTo(tokens.taken()))
                            .whenComplete((acquisition, error) -> {
                                if (acquisition != null) {
                                    giveBack(
                                            tokens,
                                            tokens.taken() - acquisition.tasks().size());
                                } else if (certainlyTookNone(error)) {
                                    giveBack(tokens, tokens.taken());
                                }
                            })
                            .thenApply(acquisition ->
                                    tokens.taken() < request.limit() ? acquisition.notLate() : acquisition);
                });
    }

    private static Acquisition nothing(Shard shard, RateTokens tokens) {
        return new Acquisition(
                shard,
                0,
                List.of(),
                tokens.untilNext().compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : tokens.untilNext(),
                tokens.serverMicros(),
                System.nanoTime(),
                Map.of(),
                List.of(),
                false,
                Duration.ZERO,
                0);
    }

    /**
     * Returns whether the call has certainly acquired no tasks. If only the reply was lost, it may have acquired tasks,
     * so their tokens count as used.
     */
    private static boolean certainlyTookNone(Throwable error) {
        return Causes.of(error) instanceof TaskStoreException failure && !failure.mayHaveBeenApplied();
    }

    private void giveBack(RateTokens tokens, int unused) {
        if (unused > 0) {
            Guard.call(() -> store.takeTokens(queue, intervalNanos, burst, 0, unused, tokens.serverMicros()))
                    .whenComplete((returned, error) -> {
                        if (error != null && notReturned.passes()) {
                            Guard.tell(() -> log.warn(
                                    "Queue '{}': could not return {} unused deliveries of limits.rate; the next "
                                            + "deliveries wait slightly longer: {}",
                                    queue,
                                    unused,
                                    String.valueOf(error)));
                        }
                    });
        }
    }
}
