// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/**
 * Where a step of a call on a group begins.
 *
 * @param group its name
 * @param from what the step before answered; empty to begin
 * @param limit tasks at most, {@link GroupStore#LEAST_LIMIT} to {@link TaskStore#MAX_BATCH}
 */
public record GroupPosition(String group, String from, int limit) {

    public GroupPosition {
        TaskStore.checkBatch(limit);
        if (limit < GroupStore.LEAST_LIMIT) {
            throw new IllegalArgumentException("A step looks at " + GroupStore.LEAST_LIMIT + " tasks at least");
        }
    }

    /** The same for the next step. */
    public GroupPosition at(String next) {
        return new GroupPosition(group, next, limit);
    }
}
