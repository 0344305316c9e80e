// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Duration;
import java.time.Instant;

/**
 * When a task is due: at a point in time, or after a delay that the Redis server adds to its own clock.
 *
 * @param relative whether {@code millis} is a delay
 * @param millis milliseconds since the epoch, or of delay; whole milliseconds, rounded up so that no task is early
 */
public record DueTime(boolean relative, long millis) {

    /** The last millisecond of the year 9999 UTC. */
    public static final long MAX_EPOCH_MILLIS = 253_402_300_799_999L;

    public DueTime {
        if (relative) {
            millis = Math.max(0, millis);
        }
        if (millis < 0 || millis > MAX_EPOCH_MILLIS) {
            throw new DueTimeOutOfRangeException("A task must be due between 1970-01-01T00:00:00Z and the end of the"
                    + " year 9999, but this one would be due "
                    + (relative ? "after " : "at epoch ")
                    + millis
                    + " ms. Correct the delay or the due time");
        }
    }

    /**
     * Due after {@code delay}, counted from the moment the Redis server runs the call. A delay of zero or less means at
     * once.
     *
     * @throws DueTimeOutOfRangeException if the delay reaches beyond the year 9999
     */
    public static DueTime after(Duration delay) {
        if (delay.isNegative()) {
            return new DueTime(true, 0);
        }
        return new DueTime(true, ceilMillis(delay.getSeconds(), delay.getNano()));
    }

    /**
     * Due at {@code instant} by the Redis server's clock. A moment that has passed means at once.
     *
     * @throws DueTimeOutOfRangeException if the instant lies before the epoch or after the year 9999
     */
    public static DueTime at(Instant instant) {
        return new DueTime(false, ceilMillis(instant.getEpochSecond(), instant.getNano()));
    }

    private static long ceilMillis(long seconds, int nanos) {
        long bounded = Math.max(-1_000_000_000_000L, Math.min(1_000_000_000_000L, seconds));
        return bounded * 1000 + (nanos + 999_999) / 1_000_000;
    }
}
