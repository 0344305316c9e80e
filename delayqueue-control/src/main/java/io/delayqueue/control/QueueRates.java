// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.internal.store.RateCounts;
import io.delayqueue.internal.store.RateMinute;
import java.time.Instant;
import java.util.List;

/**
 * What all processes did with a queue, minute by minute by the clock of Redis. Each adds what it has counted every five seconds,
 * so the last few seconds are missing, and what happened at the end of a minute may be in the next.
 *
 * @param queue its name
 * @param minutes those in which anything was counted, the earliest first
 */
public record QueueRates(String queue, List<Minute> minutes) {

    public QueueRates {
        minutes = List.copyOf(minutes);
    }

    /**
     * A minute.
     *
     * @param minute when it began
     * @param scheduled tasks that were stored, also in place of others
     * @param delivered deliveries that ended well
     * @param failed deliveries that failed, and whose task is due again
     * @param dead deliveries after which the task was given up
     * @param lateness how late first deliveries began
     */
    public record Minute(Instant minute, long scheduled, long delivered, long failed, long dead, Lateness lateness) {

        static Minute of(RateMinute minute) {
            RateCounts counts = minute.counts();
            return new Minute(
                    minute.minute(),
                    counts.scheduled(),
                    counts.delivered(),
                    counts.failed(),
                    counts.dead(),
                    Lateness.of(counts.lateness()));
        }
    }

    /** How late first deliveries began in all of the minutes. */
    public Lateness lateness() {
        return minutes.stream().map(Minute::lateness).reduce(Lateness.NONE, Lateness::plus);
    }
}
