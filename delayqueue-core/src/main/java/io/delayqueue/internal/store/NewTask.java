// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.TaskContent;

/**
 * A validated and encoded task for the store.
 *
 * @param requestId 16 bytes; a task that is stored with the same request id returns the first result
 * @param conflictPolicy policy that applies if the id exists
 * @param replicas number of replicas that must confirm the task before the store replies; 0 for none
 */
public record NewTask(
        String id, byte[] requestId, Due due, ConflictPolicy conflictPolicy, TaskContent content, int replicas) {

    /** Approximate size of an envelope without headers plus an index entry. */
    private static final int OVERHEAD = 64;

    /** Returns the approximate size in bytes. */
    public int size() {
        int size = OVERHEAD + id.length() + content.payload().length;
        for (var header : content.headers().entrySet()) {
            size += header.getKey().length() + header.getValue().length();
        }
        return size;
    }

    @Override
    public String toString() {
        return "NewTask[id=" + id + ", due=" + due + ", onConflict=" + conflictPolicy + "]";
    }
}
