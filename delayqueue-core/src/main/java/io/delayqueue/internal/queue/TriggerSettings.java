// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.queue;

import io.delayqueue.internal.input.Bound;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a queue's trigger in one process.
 *
 * @param autoStartup whether it starts with the application; false in a process that only schedules, or that calls
 *     {@code scanOnce} from its own scheduler
 * @param concurrency maximum number of batches that are delivered at the same time, at least 1
 * @param threadNamePrefix prefix of its thread names; null to derive it from the queue's name
 * @param batchSize maximum number of tasks acquired and delivered together, 1 to 500
 * @param maxIdleInterval maximum time between two scans of a shard, extended up to twelvefold while wake signals arrive
 *     and the shard is idle
 * @param shutdownTimeout how long a stop waits for running deliveries
 */
public record TriggerSettings(
        boolean autoStartup,
        int concurrency,
        @Nullable String threadNamePrefix,
        int batchSize,
        Duration maxIdleInterval,
        Duration shutdownTimeout) {

    public TriggerSettings {
        Bound.CONCURRENCY.check("concurrency", concurrency);
        Bound.BATCH_SIZE.check("batch-size", batchSize);
        Bound.MAX_IDLE_INTERVAL.check("max-idle-interval", maxIdleInterval);
        Bound.SHUTDOWN_TIMEOUT.check("shutdown-timeout", shutdownTimeout);
    }
}
