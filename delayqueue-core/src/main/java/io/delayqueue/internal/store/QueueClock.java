// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.redis.RedisBytes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The clock by which tasks are due: the servers' own, or in tests a clock that stands still until the test moves it.
 * Thread-safe.
 */
@FunctionalInterface
public interface QueueClock {

    /** The servers' own running clocks. */
    QueueClock SERVERS = () -> null;

    /** Returns the moment at which time stands still, in whole milliseconds; null if the servers' clocks run. */
    @Nullable
    Instant standstill();

    /** Returns milliseconds that scripts add to the clocks of their servers: 0, except in tests that move time. */
    default long aheadMillis() {
        return 0;
    }

    /** Returns the form for scripts: milliseconds to add, or an equals sign and microseconds since the epoch. */
    default byte[] bytes() {
        Instant still = standstill();
        return (still == null) ? RedisBytes.bytes(aheadMillis()) : RedisBytes.bytes("=" + still.toEpochMilli() * 1000);
    }

    /** Returns the current time; if the servers' clocks run, this process's estimate of it. */
    default Instant now() {
        Instant still = standstill();
        return (still == null) ? Instant.now() : still;
    }
}
