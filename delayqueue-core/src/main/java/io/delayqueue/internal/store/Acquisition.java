// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one acquire brought.
 *
 * @param shard where from
 * @param token fencing token of all the tasks; grows with every acquisition of a shard, and is higher than those of the
 *     shards that their ids come from; 0 when there are none
 * @param tasks those acquired, earliest due first
 * @param untilNext how long after {@code serverMicros} the shard needs attention again; zero when there may be more to
 *     take now; null when the shard holds nothing more
 * @param serverMicros the server's clock at the acquisition, microseconds since the epoch; 0 where the shard is empty
 * @param callNanoTime when to send a call that reaches the server at this time, by {@link System#nanoTime}
 * @param dead tasks that are dead from now on instead of being acquired, with the reason, by id: those that cannot be
 *     read, those whose leases ran out too often ({@link #LEASE_EXPIRED}), and those that were {@linkplain Expiry too late}
 * @param newer ids passed over because a newer version of this library wrote them; a sample of at most 20
 */
public record Acquisition(
        Shard shard,
        long token,
        List<AcquiredTask> tasks,
        @Nullable Duration untilNext,
        long serverMicros,
        long callNanoTime,
        Map<String, String> dead,
        List<String> newer) {

    /** The reason of a dead task that can be read, but whose leases ran out too often. */
    public static final String LEASE_EXPIRED = "lease expired";

    /** Whether a task with this reason is one that cannot be read. */
    public static boolean isUnreadable(String reason) {
        return !reason.equals(LEASE_EXPIRED) && !reason.equals(Expiry.EXPIRED);
    }
}
