// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.control.QueueRates;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** The rates of a queue in steps of a few minutes, earliest first. */
record Steps(QueueRates rates, List<Step> steps) {

    /** @param rates the minutes of one step */
    record Step(Instant from, Instant until, QueueRates rates) {

        long delivered() {
            return rates.sum(QueueRates.Minute::delivered);
        }

        long failed() {
            return rates.sum(QueueRates.Minute::allFailed);
        }

        long all() {
            return delivered() + failed();
        }
    }

    /** @param width whole minutes */
    static Steps of(QueueRates rates, Instant begin, Duration width, int count) {
        return new Steps(
                rates,
                IntStream.range(0, count)
                        .mapToObj(i -> begin.plus(width.multipliedBy(i)))
                        .map(from -> new Step(from, from.plus(width), rates.between(from, from.plus(width))))
                        .toList());
    }
}
