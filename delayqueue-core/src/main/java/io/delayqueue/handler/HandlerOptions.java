// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.queue.Bound;
import io.delayqueue.queue.RetryPolicy;
import java.time.Duration;
import java.util.Optional;

/**
 * What a handler asks for instead of its queue's settings; what is empty comes from there. What could not be a setting
 * of a queue is refused with an {@link IllegalArgumentException} that names it.
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
        batchSize.ifPresent(size -> Bound.BATCH_SIZE.check("batchSize", size));
        lease.ifPresent(time -> Bound.LEASE.check("lease", time));
        closeTimeout.ifPresent(time -> Bound.CLOSE_TIMEOUT.check("closeTimeout", time));
    }

    /** These options with another concurrency. */
    public HandlerOptions withConcurrency(int threads) {
        return new HandlerOptions(
                Optional.of(new Concurrency(threads, threads)), batchSize, lease, retry, closeTimeout, autoStartup);
    }
}
