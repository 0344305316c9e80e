// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.List;

/**
 * What a call has done to the tasks of a group.
 *
 * @param changed how many tasks were changed of which no delivery had begun: cancelled, or due at another time
 * @param inFlight the ids of the tasks of which a delivery had begun whose end is not known. A cancel has deleted them, so that
 *     they are not tried again. A shift or a reschedule has left those alone that are leased, as their time has come, and has
 *     changed those that wait to be tried again
 * @param steps how many calls to Redis it took, each atomic: 1 for a group of up to some hundred tasks
 */
public record GroupResult(long changed, List<String> inFlight, int steps) {

    /** Whether all was done in one moment, so that nobody has seen a part of it. */
    public boolean isAtomic() {
        return steps <= 1;
    }
}
