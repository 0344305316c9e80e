// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.delivery.TaskContent;

/**
 * A checked and encoded task on its way into the store.
 *
 * @param id its id
 * @param requestId 16 bytes; a task stored under the same request id is answered as it was the first time
 * @param due its due time
 * @param conflictPolicy what to do when the id exists
 * @param content what it carries
 * @param replicas that are to have it before the store answers; 0 for none
 */
public record NewTask(
        String id, byte[] requestId, Due due, ConflictPolicy conflictPolicy, TaskContent content, int replicas) {

    /** One for which the answer of the master is enough. */
    public NewTask(String id, byte[] requestId, Due due, ConflictPolicy conflictPolicy, TaskContent content) {
        this(id, requestId, due, conflictPolicy, content, 0);
    }

    @Override
    public String toString() {
        return "NewTask[id=" + id + ", due=" + due + ", onConflict=" + conflictPolicy + "]";
    }
}
