// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

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

    /** Returns the current time; if the servers' clocks run, this process's estimate of it. */
    default Instant now() {
        Instant still = standstill();
        return (still == null) ? Instant.now() : still;
    }
}
