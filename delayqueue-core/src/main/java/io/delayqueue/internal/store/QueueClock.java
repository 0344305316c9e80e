// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.redis.RedisBytes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The clock that determines when tasks are due: the servers' own, or in tests a clock that stands still until the test
 * moves it. Thread-safe.
 */
@FunctionalInterface
public interface QueueClock {

    /** The servers' own running clocks. */
    QueueClock SERVERS = () -> null;

    /** Returns the time that a stopped clock shows, in whole milliseconds; null if the servers' clocks are used. */
    @Nullable
    Instant standstill();

    /** Returns how many milliseconds scripts add to their server's clock; 0 except in tests that move time. */
    default long aheadMillis() {
        return 0;
    }

    /** Returns the script argument: milliseconds to add, or an equals sign followed by microseconds since the epoch. */
    default byte[] bytes() {
        Instant still = standstill();
        return (still == null) ? RedisBytes.bytes(aheadMillis()) : RedisBytes.bytes("=" + still.toEpochMilli() * 1000);
    }

    /** Returns the time that the stopped clock shows, or else this process's own time. */
    default Instant now() {
        Instant still = standstill();
        return (still == null) ? Instant.now() : still;
    }
}
