// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.Map;

/**
 * What was counted of a queue.
 *
 * @param scheduled tasks that were stored
 * @param delivered deliveries that ended well
 * @param failed deliveries that failed, and whose task is due again
 * @param dead deliveries after which the task was given up
 * @param lateness how many first deliveries began how late, by the numbers of {@link LatenessBuckets}
 */
public record RateCounts(long scheduled, long delivered, long failed, long dead, Map<Integer, Long> lateness) {

    public RateCounts {
        lateness = Map.copyOf(lateness);
    }

    public boolean isNothing() {
        return scheduled == 0 && delivered == 0 && failed == 0 && dead == 0 && lateness.isEmpty();
    }
}
