// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of an acquire.
 *
 * @param token fencing token, the same for all the tasks; grows with every acquire of a shard, and exceeds the tokens
 *     of the shards from which the tasks migrated; 0 if there are no tasks
 * @param tasks acquired tasks, earliest due first
 * @param untilNext time until the shard needs attention again, counted from {@code serverMicros}; zero if there may be
 *     more to acquire now; null if the shard is otherwise empty
 * @param serverMicros the server's clock at the acquire, microseconds since the epoch; 0 if the shard is empty
 * @param callNanoTime time to send a call that reaches the server at that time, by {@link System#nanoTime}
 * @param dead tasks that became dead instead of being acquired, with the reason, by id: unreadable tasks, tasks with
 *     too many expired leases ({@link #LEASE_EXPIRED}), and tasks that were {@linkplain Expiry too late}
 * @param newer ids skipped because a newer version of this library wrote them; a sample of at most 20
 * @param limited whether the next acquire must apply limits, because keys of the shard have limits at run time, or
 *     held-back tasks
 * @param late lateness of the shard: the time from the first due task, or the first turn of a key, to the call
 * @param heldBack number of tasks that the call has held back until the turns of their keys
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

    /** Returns this result without its lateness, which is due to a rate limit. */
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

    /** The reason of a readable dead task with too many expired leases. */
    public static final String LEASE_EXPIRED = "lease expired";

    public static boolean isUnreadable(String reason) {
        return !reason.equals(LEASE_EXPIRED) && !reason.equals(Expiry.EXPIRED);
    }
}
