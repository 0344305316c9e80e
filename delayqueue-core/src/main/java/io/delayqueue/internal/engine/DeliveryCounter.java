// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.Outcome;

/**
 * Counts deliveries. {@link DeliveryEvents} calls it on the thread of each event, so it must be thread-safe and fast.
 */
public interface DeliveryCounter {

    /**
     * A delivery has started.
     *
     * @param destination kind of its destination
     * @param first whether it is the task's first delivery, so that its lateness is that of the task
     */
    default void begun(Delivery delivery, String destination, boolean first) {}

    /**
     * A delivery has ended.
     *
     * @param destination kind of its destination
     * @param leaseLost whether its lease had expired or was lost
     */
    default void ended(Delivery delivery, String destination, Outcome.Kind ending, boolean leaseLost) {}

    /** A task of this queue was not delivered because it was too late. */
    default void tooLate(String queue) {}

    /** A task of this queue was released, because its payload has a newer version than this process knows. */
    default void tooNew(String queue) {}

    /** Unreadable tasks became dead. */
    default void quarantined(String queue, int tasks) {}

    /** An acquire held due tasks back until the turns of their keys. */
    default void heldBack(String queue, int tasks) {}

    /** Dead tasks were deleted because of their age or number. */
    default void trimmed(String queue, int tasks) {}
}
