// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.redis.RedisBytes;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * The offset that every script adds to its server's clock: zero, except in tests that move time. In tests where time
 * stands still, the moment to use as the current time.
 *
 * @param millis called before each call
 * @param clock called before each call; if it stands still, the servers' clocks are not read
 */
record ClockOffset(LongSupplier millis, QueueClock clock) {

    private static final char STANDSTILL = '=';

    /** Returns the form for scripts: milliseconds to add, or an equals sign and microseconds since the epoch. */
    byte[] bytes() {
        Instant still = clock.standstill();
        return (still == null)
                ? RedisBytes.bytes(millis.getAsLong())
                : RedisBytes.bytes(STANDSTILL + Long.toString(still.toEpochMilli() * 1000));
    }

    boolean standsStill() {
        return clock.standstill() != null;
    }
}
