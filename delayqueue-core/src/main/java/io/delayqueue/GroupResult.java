// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.List;

/**
 * The result of a call on the tasks of a group.
 *
 * @param changed number of live tasks that were cancelled or moved before any delivery of them had started
 * @param inFlight ids of the tasks whose delivery had started and may still be in progress. A cancel has deleted these
 *     tasks. A shift or reschedule has not changed leased tasks, but has changed those that wait for a retry.
 * @param discarded number of dead tasks that a cancel has discarded; always 0 for other calls
 * @param steps number of atomic calls to Redis: 1 for a group of up to a few hundred tasks; 0 if the call waits for the
 *     commit of a transaction
 */
public record GroupResult(long changed, List<String> inFlight, long discarded, int steps) {

    /** The result of a call that waits for the commit of its transaction. Its effect is not known yet. */
    public static final GroupResult DEFERRED = new GroupResult(0, List.of(), 0, 0);

    /** Returns whether the call waits for the commit of its transaction. */
    public boolean isDeferred() {
        return steps == 0;
    }

    /** Returns whether a single atomic call changed everything, so that no other call has seen part of it. */
    public boolean isAtomic() {
        return steps <= 1;
    }
}
