// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/**
 * The start of one step of a call on a group.
 *
 * @param prefix prefix of the ids of its tasks
 * @param from position that the previous step returned; empty to start
 * @param limit maximum number of tasks, 1 to {@link TaskStore#MAX_BATCH}
 */
public record GroupPosition(String prefix, String from, int limit) {

    public GroupPosition at(String next) {
        return new GroupPosition(prefix, next, limit);
    }
}
