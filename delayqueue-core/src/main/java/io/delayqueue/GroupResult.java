// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.List;

/**
 * The result of a call on the tasks of a group.
 *
 * @param changed number of live tasks that were cancelled or got another due time before any delivery of them had begun
 * @param inFlight ids of the tasks with a delivery that has begun and may still be in progress. A cancel has deleted these
 *     tasks. A shift or a reschedule has left leased ones alone and has changed those that wait for a retry
 * @param discarded number of dead tasks that a cancel has discarded; always 0 for other calls
 * @param steps how many calls to Redis it took, each atomic: 1 for a group of up to some hundred tasks
 */
public record GroupResult(long changed, List<String> inFlight, long discarded, int steps) {

    /** Returns whether one atomic call changed everything, so that no other call has seen a part of it. */
    public boolean isAtomic() {
        return steps <= 1;
    }
}
