// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;

/**
 * The arguments of an acquire.
 *
 * @param limit maximum number of tasks, 1 to {@link TaskStore#MAX_BATCH}
 * @param lease duration of each lease
 * @param maxLeaseExpiries maximum number of lease expiries of one task; the next one makes it dead
 * @param maxBytes maximum stored bytes; the acquire stops after the task that exceeds it
 * @param maxSuspects maximum number of tasks whose lease has expired before; the acquire skips the others
 * @param catchUpPerSecond maximum number of overdue tasks (by more than a second) that all callers together acquire
 *     from this shard per second; 0 for unlimited
 * @param keepsDead whether a task with too many expired leases is kept as dead; otherwise it is deleted
 * @param expiry the rule for tasks that are too late
 */
public record AcquireRequest(
        int limit,
        Duration lease,
        int maxLeaseExpiries,
        int maxBytes,
        int maxSuspects,
        double catchUpPerSecond,
        boolean keepsDead,
        Expiry expiry) {

    public AcquireRequest limitedTo(int tasks) {
        return new AcquireRequest(
                tasks, lease, maxLeaseExpiries, maxBytes, maxSuspects, catchUpPerSecond, keepsDead, expiry);
    }
}
