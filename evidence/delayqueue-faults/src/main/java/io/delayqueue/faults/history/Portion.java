// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.history;

import io.delayqueue.TaskIds;

/**
 * A part of a run. The id of a task determines its portion, and all tasks of a group or key are in the same
 * portion. Actions on processes and servers are in every portion.
 *
 * @param index number from 0
 * @param count number of portions
 */
public record Portion(int index, int count) {

    /** The whole run. */
    public static final Portion ALL = new Portion(0, 1);

    /** Returns whether the task of this id is in this portion. */
    public boolean has(String id) {
        String together = TaskIds.groupOf(id).or(() -> TaskIds.keyOf(id)).orElse(id);
        return Math.floorMod(together.hashCode(), count) == index;
    }
}
