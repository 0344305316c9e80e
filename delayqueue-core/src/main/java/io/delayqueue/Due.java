// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Duration;
import java.time.Instant;

/**
 * A due time: a moment, or a delay that the Redis server adds to its own clock.
 *
 * <pre>{@code
 * orders.schedule("order-42", timeout, Due.after(Duration.ofMinutes(15)));
 * orders.reschedule("order-42", Due.at(Instant.parse("2027-01-01T09:00:00Z")));
 * }</pre>
 *
 * @param relative whether {@code millis} is a delay
 * @param millis the moment in milliseconds since the epoch, or the delay in milliseconds; rounded up, so that no task
 *     is early
 */
public record Due(boolean relative, long millis) {

    /** The last millisecond of the year 9999 UTC. */
    public static final long MAX_EPOCH_MILLIS = 253_402_300_799_999L;

    public Due {
        if (relative) {
            millis = Math.max(0, millis);
        }
        if (millis < 0 || millis > MAX_EPOCH_MILLIS) {
            throw new InvalidTaskException(
                    "A task must be due between 1970-01-01T00:00:00Z and the end of the year 9999, but this "
                            + "task would be due "
                            + (relative ? "after " : "at epoch ")
                            + millis
                            + " ms. Correct the delay or the due time");
        }
    }

    /** Returns a due time at the moment when the Redis server executes the call. */
    public static Due now() {
        return new Due(true, 0);
    }

    /**
     * Returns a due time after this delay, which the Redis server measures from the call. Zero or less means now.
     * Within a transaction, {@link TransactionMode} defines when the delay starts.
     *
     * @throws InvalidTaskException if the delay extends beyond the year 9999
     */
    public static Due after(Duration delay) {
        return delay.isNegative() ? now() : new Due(true, ceilMillis(delay.getSeconds(), delay.getNano()));
    }

    /**
     * Returns a due time at this moment of the Redis server's clock. If the moment has passed, the task is due at once;
     * its lateness and {@code expires-after} are measured from that moment.
     *
     * @throws InvalidTaskException if the instant is before the epoch or after the year 9999
     */
    public static Due at(Instant instant) {
        return new Due(false, ceilMillis(instant.getEpochSecond(), instant.getNano()));
    }

    private static long ceilMillis(long seconds, int nanos) {
        long bounded = Math.max(-1_000_000_000_000L, Math.min(1_000_000_000_000L, seconds));
        return bounded * 1000 + (nanos + 999_999) / 1_000_000;
    }
}
