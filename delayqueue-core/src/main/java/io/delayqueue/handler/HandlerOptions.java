// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.queue.RetryPolicy;
import java.time.Duration;
import java.util.Optional;

/**
 * What a handler asks for instead of its queue's settings; what is empty comes from there.
 *
 * @param concurrency how many tasks are handled at once in this process
 * @param batchSize tasks that a thread takes at a time and handles one after the other, in the order of their due times
 * @param lease how long a task stays ours without renewal
 * @param retry when failed tasks are tried again
 * @param closeTimeout how long a stop waits for running handlers
 * @param autoStartup whether the handler starts with the application
 */
public record HandlerOptions(
        Optional<Concurrency> concurrency,
        Optional<Integer> batchSize,
        Optional<Duration> lease,
        Optional<RetryPolicy> retry,
        Optional<Duration> closeTimeout,
        Optional<Boolean> autoStartup) {

    /** Everything as the queue's settings say. */
    public static final HandlerOptions DEFAULT = new HandlerOptions(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public HandlerOptions {
        batchSize.ifPresent(size -> check(size >= 1 && size <= 500, "batchSize must be between 1 and 500"));
        lease.ifPresent(value -> check(value.toMillis() >= 1, "lease must be at least 1ms"));
        closeTimeout.ifPresent(value -> check(!value.isNegative(), "closeTimeout must not be negative"));
    }

    /** These options with another concurrency. */
    public HandlerOptions withConcurrency(int threads) {
        return new HandlerOptions(
                Optional.of(new Concurrency(threads, threads)), batchSize, lease, retry, closeTimeout, autoStartup);
    }

    private static void check(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
