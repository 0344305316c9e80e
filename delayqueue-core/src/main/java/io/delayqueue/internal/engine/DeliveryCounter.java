// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.Outcome;

/**
 * Counts deliveries. {@link DeliveryEvents} calls the counter on the thread of each event, so it must be thread-safe
 * and fast.
 */
public interface DeliveryCounter {

    /**
     * Counts a delivery that has started.
     *
     * @param destination kind of its destination
     * @param first whether it is the task's first delivery; the lateness of a retry includes the back-off
     */
    default void begun(Delivery delivery, String destination, boolean first) {}

    /**
     * Counts a delivery that has ended.
     *
     * @param destination kind of its destination
     * @param leaseLost whether its lease had expired or was lost
     */
    default void ended(Delivery delivery, String destination, Outcome.Kind ending, boolean leaseLost) {}

    /** Counts a task that was not delivered because it was too late. */
    default void tooLate(String queue) {}

    /** Counts a task that was released because this process does not know the version of its payload. */
    default void tooNew(String queue) {}

    /** Counts unreadable tasks that became dead. */
    default void quarantined(String queue, int tasks) {}

    /** Counts due tasks that an acquire has held back until the next turn of their keys. */
    default void heldBack(String queue, int tasks) {}

    /** Counts dead tasks that were deleted because of their age or number. */
    default void trimmed(String queue, int tasks) {}
}
