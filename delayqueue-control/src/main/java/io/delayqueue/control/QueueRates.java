// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.internal.control.MinuteRates;
import io.delayqueue.internal.store.RateMinute;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
     * @param delivered deliveries that ended well
     * @param failed deliveries that failed, and whose task is due again
     * @param dead deliveries after which the task was given up
     * @param lateness how late first deliveries began
     */
    public record Minute(Instant minute, long delivered, long failed, long dead, Lateness lateness) {

        static Minute of(RateMinute minute) {
            Map<String, Long> counts = minute.counts();
            Map<Integer, Long> lateness = new TreeMap<>();
            counts.forEach((name, count) -> {
                if (name.matches("\\d{1,3}")) {
                    lateness.put(Integer.valueOf(name), count);
                }
            });
            return new Minute(
                    minute.minute(),
                    counts.getOrDefault(MinuteRates.DELIVERED, 0L),
                    counts.getOrDefault(MinuteRates.FAILED, 0L),
                    counts.getOrDefault(MinuteRates.DEAD, 0L),
                    Lateness.of(lateness));
        }
    }

    /** How late first deliveries began in all of the minutes. */
    public Lateness lateness() {
        return minutes.stream().map(Minute::lateness).reduce(Lateness.NONE, Lateness::plus);
    }
}
