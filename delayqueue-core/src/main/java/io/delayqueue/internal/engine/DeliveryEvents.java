// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Delivery;

/**
 * Callback for counting deliveries. Called by many threads at once, on the thread where the event happens, so it must be
 * quick. Exceptions are logged and otherwise ignored.
 */
public interface DeliveryEvents {

    /** Counts nothing. */
    DeliveryEvents NONE = new DeliveryEvents() {};

    /**
     * A delivery has begun.
     *
     * @param destination of which {@linkplain io.delayqueue.delivery.TaskDestination#kind kind} its destination is
     */
    default void begun(Delivery delivery, String destination) {}

    /**
     * The outcome of a delivery that had begun was called. The store has not confirmed it yet.
     *
     * @param destination as told when it began
     * @param leaseLost whether the lease was over by then, so that the outcome may change nothing
     */
    default void ended(Delivery delivery, String destination, Ending ending, boolean leaseLost) {}

    /** A delivery does not begin because it is too early. The task is due again later, and its next delivery counts as the
     * first. */
    default void putOff(Delivery delivery) {}

    /** A task of this queue was not delivered because it was too late. */
    default void tooLate(String queue) {}

    /** Tasks could not be read and were quarantined. */
    default void quarantined(String queue, int tasks) {}

    /** The outcome of a delivery. */
    enum Ending {
        /** The destination has the task. */
        DELIVERED,
        /** The attempt failed and counts; the task is due again. */
        FAILED,
        /** The attempt does not count; the task is due again. */
        POSTPONED,
        /** The task is given up. */
        DEAD,
        /** The task was given back as it was. */
        RELEASED
    }
}
