// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import java.util.List;

/**
 * Counts of a queue's tasks that are in progress or wait for a retry, in the slices of {@link DueCounts}.
 *
 * @param leased for each slice, the number of tasks in progress whose lease ends in it
 * @param retried for each slice, the number of tasks whose next retry falls into it, after a failed or unfinished
 *     attempt
 * @param all whether all tasks were counted
 */
public record DueKinds(List<Long> leased, List<Long> retried, boolean all) {

    public DueKinds {
        leased = List.copyOf(leased);
        retried = List.copyOf(retried);
    }
}
