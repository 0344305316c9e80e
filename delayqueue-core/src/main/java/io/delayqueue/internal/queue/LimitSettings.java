// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.queue;

import io.delayqueue.internal.input.Bound;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Limits of a queue's deliveries across all processes. Every process that delivers the queue should have the same
 * limits; otherwise the lowest ones apply.
 *
 * @param rate maximum rate of all tasks of the queue, in bursts of up to a tenth of a second unless the rate sets a
 *     burst; null for unlimited
 * @param rateWhenOverdue maximum rate of tasks that are overdue by more than a second, for example after an outage;
 *     null for unlimited
 * @param keyRate maximum rate of the tasks of each key; null for unlimited
 * @param keyConcurrency maximum number of deliveries of each key in progress at the same time; null for unlimited
 */
public record LimitSettings(
        @Nullable Rate rate,
        @Nullable Rate rateWhenOverdue,
        @Nullable Rate keyRate,
        @Nullable Integer keyConcurrency) {

    /** No limits. */
    public static final LimitSettings NONE = new LimitSettings(null, null, null, null);

    public LimitSettings {
        if (rateWhenOverdue != null && rateWhenOverdue.burst() != 0) {
            throw new IllegalArgumentException("limits.rate-when-overdue must not set a burst");
        }
        if (keyConcurrency != null) {
            Bound.KEY_CONCURRENCY.check("limits.per-key.concurrency", keyConcurrency);
        }
    }

    /** Returns, for each limit, the lower of the two values. */
    public LimitSettings lowest(LimitSettings other) {
        return new LimitSettings(
                lower(rate, other.rate, Rate::lower),
                lower(rateWhenOverdue, other.rateWhenOverdue, Rate::lower),
                lower(keyRate, other.keyRate, Rate::lower),
                lower(keyConcurrency, other.keyConcurrency, Math::min));
    }

    private static <T> @Nullable T lower(@Nullable T one, @Nullable T other, BinaryOperator<T> lower) {
        return one == null ? other : other == null ? one : lower.apply(one, other);
    }
}
