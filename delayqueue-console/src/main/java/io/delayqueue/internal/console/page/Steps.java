// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.control.QueueRates;
import io.delayqueue.internal.control.QueueRates.Period;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** The rates of a queue in steps of equal length, the earliest first. */
record Steps(QueueRates rates, List<Step> steps) {

    /** @param rates the minutes or hours that overlap with the step */
    record Step(Instant from, Instant until, QueueRates rates) {

        long delivered() {
            return Math.round(sum(Period::delivered));
        }

        long failed() {
            return Math.round(sum(Period::allFailed));
        }

        long all() {
            return delivered() + failed();
        }

        /** Adds up a count. An hour that is only partly in the step counts in proportion. */
        double sum(ToLongFunction<Period> of) {
            return rates.periods().stream()
                    .mapToDouble(period -> of.applyAsLong(period) * share(period))
                    .sum();
        }

        private double share(Period period) {
            Duration length = rates.step().getDuration();
            Instant first = period.from().isBefore(from) ? from : period.from();
            Instant end = period.from().plus(length).isAfter(until)
                    ? until
                    : period.from().plus(length);
            return (double) Duration.between(first, end).toMillis() / length.toMillis();
        }
    }

    static Steps of(QueueRates rates, Instant begin, Duration width, int count) {
        return new Steps(
                rates,
                IntStream.range(0, count)
                        .mapToObj(i -> begin.plus(width.multipliedBy(i)))
                        .map(from -> new Step(from, from.plus(width), rates.between(from, from.plus(width))))
                        .toList());
    }
}
