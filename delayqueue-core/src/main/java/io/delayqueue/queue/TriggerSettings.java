// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.queue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a queue's trigger runs in one process.
 *
 * @param enabled whether this process delivers the queue; if not, its trigger does not start with the application,
 *     whatever a listener or {@code autoStartup} says
 * @param autoStartup whether it starts with the application; false if only {@code scanOnce} drives it
 * @param threads maximum number of batches that are delivered at the same time, at least 1
 * @param threadNamePrefix how the names of its threads begin; null for a prefix made from the queue's name
 * @param batchSize tasks acquired and delivered together, 1 to 500
 * @param maxIdleInterval the longest sleep between two scans of a shard; up to twelve times as long while wake signals
 *     are known to arrive and nothing happens
 * @param shutdownTimeout how long a stop waits for running deliveries
 * @param lookAhead how long before its due time a task may be acquired, so that it is delivered on the millisecond;
 *     at most 100 ms, zero for never
 * @param catchUpRate maximum number of overdue tasks, such as after an outage, that the queue delivers in a second, in
 *     all processes together; null for unlimited
 */
public record TriggerSettings(
        boolean enabled,
        boolean autoStartup,
        int threads,
        @Nullable String threadNamePrefix,
        int batchSize,
        Duration maxIdleInterval,
        Duration shutdownTimeout,
        Duration lookAhead,
        @Nullable Integer catchUpRate) {

    public TriggerSettings {
        Bound.THREADS.check("threads", threads);
        Bound.BATCH_SIZE.check("batch-size", batchSize);
        Bound.MAX_IDLE_INTERVAL.check("max-idle-interval", maxIdleInterval);
        Bound.SHUTDOWN_TIMEOUT.check("shutdown-timeout", shutdownTimeout);
        Bound.LOOK_AHEAD.check("look-ahead", lookAhead);
        if (catchUpRate != null) {
            Bound.CATCH_UP_RATE.check("catch-up-rate", catchUpRate);
        }
    }

    /** Four threads, batches of 200, a max-idle-interval of 5 s, 10 s to close. */
    public static final TriggerSettings DEFAULT =
            new TriggerSettings(true, 4, null, 200, Duration.ofSeconds(5), Duration.ofSeconds(10));

    /** Of a process that delivers; takes tasks when they are due and as fast as it can. */
    public TriggerSettings(
            boolean autoStartup,
            int threads,
            @Nullable String threadNamePrefix,
            int batchSize,
            Duration maxIdleInterval,
            Duration shutdownTimeout) {
        this(
                true,
                autoStartup,
                threads,
                threadNamePrefix,
                batchSize,
                maxIdleInterval,
                shutdownTimeout,
                Duration.ZERO,
                null);
    }
}
