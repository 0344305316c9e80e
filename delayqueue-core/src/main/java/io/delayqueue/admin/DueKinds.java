// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.util.List;

/**
 * Which of the live tasks of a queue do not simply wait for their due time, in the slices of {@link DueCounts}.
 *
 * @param leased for each slice the tasks under delivery whose lease ends in it
 * @param retried for each slice the tasks that are tried again in it, after an attempt that failed or did not end
 * @param all whether all were looked at; otherwise there may be more of either kind
 */
public record DueKinds(List<Long> leased, List<Long> retried, boolean all) {

    public DueKinds {
        leased = List.copyOf(leased);
        retried = List.copyOf(retried);
    }
}
