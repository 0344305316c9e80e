// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import java.util.List;

/**
 * Counts of a queue's live tasks that are not simply waiting for their due time, in the slices of {@link DueCounts}.
 *
 * @param leased for each slice, tasks in progress whose lease ends in it
 * @param retried for each slice, tasks whose retry after a failed or unfinished attempt falls into it
 * @param all whether all tasks were counted; otherwise there may be more
 */
public record DueKinds(List<Long> leased, List<Long> retried, boolean all) {

    public DueKinds {
        leased = List.copyOf(leased);
        retried = List.copyOf(retried);
    }
}
