// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.redis.RedisBytes;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * What every script adds to its server's clock: nothing, but in tests that move time. In tests in which time stands still
 * it is the moment that the script takes for now.
 *
 * @param millis asked before each call
 * @param clock asked before each call; where it stands still, the servers' clocks are not read
 */
record ClockOffset(LongSupplier millis, QueueClock clock) {

    private static final char STANDSTILL = '=';

    /** As the scripts read it: milliseconds to be added, or an equals sign and microseconds since the epoch. */
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
