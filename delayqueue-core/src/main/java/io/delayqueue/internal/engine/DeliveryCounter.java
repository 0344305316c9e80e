// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.Outcome;

/**
 * Counts deliveries. Called by {@link DeliveryEvents}, by many threads at once, on the thread where the event happens, so it
 * must be quick.
 */
public interface DeliveryCounter {

    /**
     * A delivery has begun.
     *
     * @param destination of which kind its destination is
     * @param first whether it is the task's first, so that its lateness is the task's
     */
    default void begun(Delivery delivery, String destination, boolean first) {}

    /**
     * A delivery has ended.
     *
     * @param destination of which kind its destination is
     * @param leaseLost whether the lease was over by then
     */
    default void ended(Delivery delivery, String destination, Outcome.Kind ending, boolean leaseLost) {}

    /** A task of this queue was not delivered because it was too late. */
    default void tooLate(String queue) {}

    /** A task of this queue was given back, because its payload has a newer version than this process knows. */
    default void tooNew(String queue) {}

    /** Tasks could not be read and are dead ones from now on. */
    default void quarantined(String queue, int tasks) {}

    /** Dead tasks were deleted for their age or their number. */
    default void trimmed(String queue, int tasks) {}
}
