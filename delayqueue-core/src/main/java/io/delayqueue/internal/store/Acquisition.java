// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of an acquire.
 *
 * @param token fencing token of all the tasks; 0 if there are no tasks. Each acquire of a shard has a higher token,
 *     which also exceeds the tokens of the shards from which tasks migrated here
 * @param tasks acquired tasks, earliest due first
 * @param untilNext time until the shard needs attention again, counted from {@code serverMicros}; zero if more tasks
 *     may be due now; null if the shard has no other tasks
 * @param serverMicros the server's clock at the acquire, microseconds since the epoch; 0 if the shard is empty
 * @param callNanoTime time when a call must be sent to reach the server at {@code serverMicros}, by {@link
 *     System#nanoTime}
 * @param dead reasons, by id, of tasks that became dead instead of being acquired: they were unreadable, had too many
 *     expired leases ({@link #LEASE_EXPIRED}), or were {@linkplain Expiry too late}
 * @param newer ids skipped because a newer version of this library wrote them; a sample of at most 20
 * @param limited whether the next acquire must apply limits, because keys of the shard have held-back tasks or limits
 *     set at run time
 * @param late lateness of the shard: the time from the first due task, or the first turn of a key, to the call
 * @param heldBack number of tasks that the call held back until the next turn of their keys
 */
public record Acquisition(
        Shard shard,
        long token,
        List<AcquiredTask> tasks,
        @Nullable Duration untilNext,
        long serverMicros,
        long callNanoTime,
        Map<String, String> dead,
        List<String> newer,
        boolean limited,
        Duration late,
        int heldBack) {

    /** Returns this result with a lateness of zero, because a rate limit caused it. */
    public Acquisition notLate() {
        return new Acquisition(
                shard,
                token,
                tasks,
                untilNext,
                serverMicros,
                callNanoTime,
                dead,
                newer,
                limited,
                Duration.ZERO,
                heldBack);
    }

    /** The reason for a task that died after too many expired leases. */
    public static final String LEASE_EXPIRED = "lease expired";

    public static boolean isUnreadable(String reason) {
        return !reason.equals(LEASE_EXPIRED) && !reason.equals(Expiry.EXPIRED);
    }
}
