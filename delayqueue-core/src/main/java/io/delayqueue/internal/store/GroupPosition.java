// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/**
 * Where a step of a call on a group begins.
 *
 * @param prefix the beginning of the ids of its tasks
 * @param from what the step before answered; empty to begin
 * @param limit tasks at most, 1 to {@link TaskStore#MAX_BATCH}
 */
public record GroupPosition(String prefix, String from, int limit) {

    public GroupPosition {
        TaskStore.checkBatch(limit);
    }

    /** The same for the next step. */
    public GroupPosition at(String next) {
        return new GroupPosition(prefix, next, limit);
    }
}
