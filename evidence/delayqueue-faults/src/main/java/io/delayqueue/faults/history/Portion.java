// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.history;

import io.delayqueue.TaskIds;

/**
 * One of several parts of a run that together are all of it: a task is in one of them by its id, and the tasks of a
 * group are in the same one. What was done to processes and servers is in each.
 *
 * @param index from 0
 * @param count how many there are
 */
public record Portion(int index, int count) {

    /** The whole run. */
    public static final Portion ALL = new Portion(0, 1);

    /** Returns whether the task of this id is in it. */
    public boolean has(String id) {
        return Math.floorMod(TaskIds.groupOf(id).orElse(id).hashCode(), count) == index;
    }
}
