// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.store;

import java.time.Duration;

/**
 * How to acquire.
 *
 * @param limit tasks to take at most, 1 to {@link TaskStore#MAX_BATCH}
 * @param lease how long the tasks are ours
 * @param maxLeaseExpiries leases of one task that may run out; with one more it is dead
 * @param maxBytes stop after the task with which the stored bytes exceed this
 * @param maxSuspects tasks to take at most of which a lease ran out before; the others are passed over
 */
public record AcquireRequest(int limit, Duration lease, int maxLeaseExpiries, int maxBytes, int maxSuspects) {

    public AcquireRequest {
        TaskStore.checkBatch(limit);
    }
}
