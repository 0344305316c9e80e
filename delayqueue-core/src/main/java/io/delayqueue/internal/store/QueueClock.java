// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The clock by which tasks are due. It is the servers' own, but in tests in which time stands still until the test moves
 * it. Safe for use by many threads.
 */
@FunctionalInterface
public interface QueueClock {

    /** The servers' own clocks, which run. */
    QueueClock SERVERS = () -> null;

    /** The moment at which time stands still, in whole milliseconds; null where the servers' clocks run. */
    @Nullable
    Instant standstill();

    /** What it says now; where the servers' clocks run, what this process takes them to say. */
    default Instant now() {
        Instant still = standstill();
        return (still == null) ? Instant.now() : still;
    }
}
