// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.DueTime;
import io.delayqueue.delivery.TaskContent;
import io.delayqueue.queue.OrderSettings;

/**
 * A checked and encoded task on its way into the store.
 *
 * @param id its id
 * @param requestId 16 bytes; a task stored under the same request id is answered as it was the first time
 * @param due its due time
 * @param conflictPolicy what to do when the id exists
 * @param content what it carries
 * @param replicas that are to have it before the store answers; 0 for none
 * @param order that its queue asks for
 */
public record NewTask(
        String id,
        byte[] requestId,
        DueTime due,
        ConflictPolicy conflictPolicy,
        TaskContent content,
        int replicas,
        OrderSettings order) {

    /** One of a queue that asks for no order. */
    public NewTask(
            String id,
            byte[] requestId,
            DueTime due,
            ConflictPolicy conflictPolicy,
            TaskContent content,
            int replicas) {
        this(id, requestId, due, conflictPolicy, content, replicas, OrderSettings.NONE);
    }

    /** One for which the answer of the master is enough. */
    public NewTask(String id, byte[] requestId, DueTime due, ConflictPolicy conflictPolicy, TaskContent content) {
        this(id, requestId, due, conflictPolicy, content, 0);
    }

    /** The same in a queue that asks for this order. */
    public NewTask in(OrderSettings other) {
        return other.equals(order) ? this : new NewTask(id, requestId, due, conflictPolicy, content, replicas, other);
    }

    @Override
    public String toString() {
        return "NewTask[id=" + id + ", due=" + due + ", onConflict=" + conflictPolicy + "]";
    }
}
