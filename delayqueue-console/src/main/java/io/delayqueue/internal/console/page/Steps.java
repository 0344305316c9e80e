// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.control.Lateness;
import io.delayqueue.internal.control.QueueRates;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** The rates of a queue in steps of some minutes, the earliest first. */
record Steps(QueueRates rates, List<Step> steps) {

    /** The minutes of one step together. */
    record Step(Instant from, Instant until, List<QueueRates.Minute> minutes) {

        private long sum(ToLongFunction<QueueRates.Minute> of) {
            return minutes.stream().mapToLong(of).sum();
        }

        Lateness lateness() {
            return minutes.stream().map(QueueRates.Minute::lateness).reduce(Lateness.NONE, Lateness::plus);
        }

        long delivered() {
            return sum(QueueRates.Minute::delivered);
        }

        long failed() {
            return sum(QueueRates.Minute::failed) + sum(QueueRates.Minute::dead);
        }

        long all() {
            return delivered() + failed();
        }
    }

    /** @param width whole minutes */
    static Steps of(QueueRates rates, Instant begin, Duration width, int count) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Instant from = begin.plus(width.multipliedBy(i));
            steps.add(new Step(from, from.plus(width), new ArrayList<>()));
        }
        for (QueueRates.Minute minute : rates.minutes()) {
            long step = Duration.between(begin, minute.minute()).toMinutes() / width.toMinutes();
            if (step >= 0 && step < count) {
                steps.get((int) step).minutes().add(minute);
            }
        }
        return new Steps(rates, steps);
    }
}
