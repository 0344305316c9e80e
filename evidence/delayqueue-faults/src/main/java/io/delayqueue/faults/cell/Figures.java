// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.check.Verdict;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a {@link Verdict}, with the same names. Times are in milliseconds; null if there was nothing to
 * measure or it was not recorded.
 */
public record Figures(
        int scheduled,
        @Nullable Integer unknown,
        int delivered,
        int dead,
        int cancelled,
        int lost,
        int lossAllowed,
        int explained,
        int unexplained,
        int early,
        @Nullable Long p50,
        @Nullable Long p99,
        @Nullable Long max,
        @Nullable Long recovery,
        @Nullable Long afterwardsP99) {

    static Figures of(Verdict verdict) {
        Duration afterwards =
                verdict.latenessAfter().count() > 0 ? verdict.latenessAfter().p99() : null;
        return new Figures(
                verdict.scheduled(),
                verdict.unknown(),
                verdict.delivered(),
                verdict.dead(),
                verdict.cancelled(),
                verdict.lost(),
                verdict.lossAllowed(),
                verdict.explained(),
                verdict.unexplained(),
                verdict.early(),
                millis(verdict.lateness().p50()),
                millis(verdict.lateness().p99()),
                millis(verdict.lateness().max()),
                millis(verdict.recovery()),
                millis(afterwards));
    }

    private static @Nullable Long millis(@Nullable Duration time) {
        return time == null ? null : (Long) time.toMillis();
    }
}
