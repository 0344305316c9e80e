// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * The deliveries of all processes for a queue per minute or hour, by the clock of Redis. Each process adds its counts
 * every five seconds. Therefore, the last few seconds are missing, and counts from the end of a minute may be added to
 * the next one.
 *
 * @param step minutes or hours
 * @param periods minutes or hours that have counts, earliest first
 */
public record QueueRates(String queue, ChronoUnit step, List<Period> periods) {

    public QueueRates {
        periods = List.copyOf(periods);
    }

    /**
     * The counts of one minute or hour.
     *
     * @param from its start
     * @param delivered successful deliveries
     * @param failed failed deliveries that will be retried
     * @param dead deliveries that made the task dead
     * @param lateness lateness of first deliveries; of an hour accurate to 35 %
     */
    public record Period(Instant from, long delivered, long failed, long dead, Lateness lateness) {

        /** Returns the number of failed deliveries, with or without a retry. */
        public long allFailed() {
            return failed + dead;
        }

        static Period of(Instant from, Map<String, Long> counts) {
            Map<Integer, Long> lateness = new TreeMap<>();
            counts.forEach((name, count) -> {
                if (name.matches("\\d{1,3}")) {
                    lateness.put(Integer.valueOf(name), count);
                }
            });
            return new Period(
                    from,
                    counts.getOrDefault(MinuteRates.DELIVERED, 0L),
                    counts.getOrDefault(MinuteRates.FAILED, 0L),
                    counts.getOrDefault(MinuteRates.DEAD, 0L),
                    Lateness.of(lateness));
        }
    }

    /** Returns the minutes or hours that overlap with the given period. */
    public QueueRates between(Instant from, Instant until) {
        return new QueueRates(
                queue,
                step,
                periods.stream()
                        .filter(period -> period.from().isBefore(until)
                                && period.from().plus(1, step).isAfter(from))
                        .toList());
    }

    public long sum(ToLongFunction<Period> of) {
        return periods.stream().mapToLong(of).sum();
    }

    public Lateness lateness() {
        return periods.stream().map(Period::lateness).reduce(Lateness.NONE, Lateness::plus);
    }
}
