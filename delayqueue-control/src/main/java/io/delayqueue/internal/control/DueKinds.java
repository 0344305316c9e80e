// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import java.util.List;

/**
 * Counts of a queue's live tasks that are not simply waiting for their due time, in the slices of {@link DueCounts}.
 *
 * @param leased number of tasks in progress whose lease ends in the slice, for each slice
 * @param retried number of tasks whose retry, after a failed or unfinished attempt, falls into the slice, for each
 *     slice
 * @param all whether all tasks were counted
 */
public record DueKinds(List<Long> leased, List<Long> retried, boolean all) {

    public DueKinds {
        leased = List.copyOf(leased);
        retried = List.copyOf(retried);
    }
}
