// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.internal.store.RateMinute;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * The deliveries of all processes for a queue per minute, by the clock of Redis. Each process adds its counts every
 * five seconds. Therefore, the last few seconds are missing, and counts from the end of a minute may be added to the
 * next one.
 *
 * @param minutes minutes that have counts, earliest first
 */
public record QueueRates(String queue, List<Minute> minutes) {

    public QueueRates {
        minutes = List.copyOf(minutes);
    }

    /**
     * The counts of one minute.
     *
     * @param minute start of the minute
     * @param delivered successful deliveries
     * @param failed failed deliveries that will be retried
     * @param dead deliveries that made the task dead
     * @param lateness lateness of first deliveries
     */
    public record Minute(Instant minute, long delivered, long failed, long dead, Lateness lateness) {

        /** Returns the number of failed deliveries, with or without a retry. */
        public long allFailed() {
            return failed + dead;
        }

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

    /** Returns the minutes that begin in a period. */
    public QueueRates between(Instant from, Instant until) {
        return new QueueRates(
                queue,
                minutes.stream()
                        .filter(minute -> !minute.minute().isBefore(from)
                                && minute.minute().isBefore(until))
                        .toList());
    }

    public long sum(ToLongFunction<Minute> of) {
        return minutes.stream().mapToLong(of).sum();
    }

    public Lateness lateness() {
        return minutes.stream().map(Minute::lateness).reduce(Lateness.NONE, Lateness::plus);
    }
}
