// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;

/** Calculates the new due times of tasks that are moved together. */
final class DueShift {

    private DueShift() {}

    /** @throws IllegalArgumentException if the result is out of range */
    static Instant later(Instant dueAt, Duration by) {
        try {
            return dueAt.plus(by);
        } catch (DateTimeException | ArithmeticException ex) {
            throw new IllegalArgumentException("A task due at " + dueAt + " cannot be moved by " + by);
        }
    }

    /** Returns a due time within a period. It depends only on the id, so a repeated call returns the same time. */
    static Instant spread(String id, Instant from, Duration over) {
        long millis = over.toMillis();
        return millis == 0 ? from : from.plusMillis(new SplittableRandom(id.hashCode()).nextLong(millis));
    }
}
