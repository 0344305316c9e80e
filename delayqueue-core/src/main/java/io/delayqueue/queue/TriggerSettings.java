// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.queue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a queue's trigger runs in one process.
 *
 * @param autoStartup whether it starts with the application; off for one that only {@code scanOnce} drives
 * @param threads deliveries of batches that run at the same time, at least 1
 * @param threadNamePrefix of its threads; null for one made from the queue's name
 * @param batchSize tasks acquired and delivered together, 1 to 500
 * @param backStop how long it sleeps at most between two scans; up to twelve times as long while wake signals are known to
 *     arrive and nothing happens
 * @param closeTimeout how long a stop waits for running deliveries
 * @param lookAhead how long before it is due a task may be taken, to be delivered on the millisecond;
 *     at most 100 ms, zero for not before
 * @param catchUpRate of tasks that are overdue, as after an outage, how many the queue delivers in a second at most, in all
 *     processes together; null for as many as can be
 */
public record TriggerSettings(
        boolean autoStartup,
        int threads,
        @Nullable String threadNamePrefix,
        int batchSize,
        Duration backStop,
        Duration closeTimeout,
        Duration lookAhead,
        @Nullable Integer catchUpRate) {

    public TriggerSettings {
        Bound.THREADS.check("threads", threads);
        Bound.BATCH_SIZE.check("batch-size", batchSize);
        Bound.BACK_STOP.check("back-stop", backStop);
        Bound.CLOSE_TIMEOUT.check("close-timeout", closeTimeout);
        Bound.LOOK_AHEAD.check("look-ahead", lookAhead);
        if (catchUpRate != null) {
            Bound.CATCH_UP_RATE.check("catch-up-rate", catchUpRate);
        }
    }

    /** Four threads, batches of 200, a back-stop of 5 s, 10 s to close. */
    public static final TriggerSettings DEFAULT =
            new TriggerSettings(true, 4, null, 200, Duration.ofSeconds(5), Duration.ofSeconds(10));

    /** Takes tasks when they are due and as fast as it can. */
    public TriggerSettings(
            boolean autoStartup,
            int threads,
            @Nullable String threadNamePrefix,
            int batchSize,
            Duration backStop,
            Duration closeTimeout) {
        this(autoStartup, threads, threadNamePrefix, batchSize, backStop, closeTimeout, Duration.ZERO, null);
    }
}
