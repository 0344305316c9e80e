// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.List;

/**
 * The result of a call on the tasks of a group.
 *
 * @param changed number of live tasks that were cancelled or moved and whose delivery had not started
 * @param inFlight ids of the tasks whose delivery had started and may still be in progress. A cancel deletes these
 *     tasks. A shift or reschedule changes the ones that wait for a retry, but not the leased ones.
 * @param discarded number of dead tasks that a cancel discarded; always 0 for other calls
 * @param steps number of atomic calls to Redis: 1 for a group of up to a few hundred tasks; 0 if the call was
 *     deferred until the commit of a transaction
 */
public record GroupResult(long changed, List<String> inFlight, long discarded, int steps) {

    /** The result of a call that was deferred until its transaction commits. Its effect is not known yet. */
    public static final GroupResult DEFERRED = new GroupResult(0, List.of(), 0, 0);

    /** Returns whether the call was deferred until its transaction commits. */
    public boolean isDeferred() {
        return steps == 0;
    }

    /** Returns whether a single atomic call made all changes, so that no other call saw only part of them. */
    public boolean isAtomic() {
        return steps <= 1;
    }
}
