// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;

/**
 * How to acquire.
 *
 * @param limit tasks to take at most, 1 to {@link TaskStore#MAX_BATCH}
 * @param lease how long the tasks are ours
 * @param maxLeaseExpiries leases of one task that may run out; with one more it is dead
 * @param maxBytes stop after the task with which the stored bytes exceed this
 * @param maxSuspects tasks to take at most of which a lease ran out before; the others are passed over
 * @param lookAhead takes also what will be due within this time, in whole milliseconds; zero for only what is due
 * @param catchUpPerSecond of tasks that have been due for more than a second, how many this shard gives in a second to
 *     all who ask together; 0 for any number
 * @param keepsDead whether a task of which too many leases ran out is kept as a dead one; otherwise it is deleted
 * @param expiry which tasks are not taken because they have been due for too long, and what becomes of them
 */
public record AcquireRequest(
        int limit,
        Duration lease,
        int maxLeaseExpiries,
        int maxBytes,
        int maxSuspects,
        Duration lookAhead,
        double catchUpPerSecond,
        boolean keepsDead,
        Expiry expiry) {

    public AcquireRequest {
        TaskStore.checkBatch(limit);
    }

    /** What is due or will be soon, however late. */
    public AcquireRequest(
            int limit,
            Duration lease,
            int maxLeaseExpiries,
            int maxBytes,
            int maxSuspects,
            Duration lookAhead,
            double catchUpPerSecond,
            boolean keepsDead) {
        this(
                limit,
                lease,
                maxLeaseExpiries,
                maxBytes,
                maxSuspects,
                lookAhead,
                catchUpPerSecond,
                keepsDead,
                Expiry.NEVER);
    }

    /** What is due or will be soon, and the dead are kept. */
    public AcquireRequest(
            int limit,
            Duration lease,
            int maxLeaseExpiries,
            int maxBytes,
            int maxSuspects,
            Duration lookAhead,
            double catchUpPerSecond) {
        this(limit, lease, maxLeaseExpiries, maxBytes, maxSuspects, lookAhead, catchUpPerSecond, true);
    }

    /** The same, and what is too late goes. */
    public AcquireRequest without(Expiry late) {
        return new AcquireRequest(
                limit, lease, maxLeaseExpiries, maxBytes, maxSuspects, lookAhead, catchUpPerSecond, keepsDead, late);
    }

    /** What is due, as fast as can be. */
    public AcquireRequest(int limit, Duration lease, int maxLeaseExpiries, int maxBytes, int maxSuspects) {
        this(limit, lease, maxLeaseExpiries, maxBytes, maxSuspects, Duration.ZERO, 0);
    }
}
