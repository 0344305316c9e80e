// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Delivery;

/**
 * Hears of deliveries, for counting. Called on the thread on which it happens, by many at once, so it must be quick. What
 * it throws is logged and changes nothing.
 */
public interface DeliveryEvents {

    /** Nobody counts. */
    DeliveryEvents NONE = new DeliveryEvents() {};

    /**
     * A delivery has begun.
     *
     * @param destination of which {@linkplain io.delayqueue.delivery.TaskDestination#kind kind} its destination is
     */
    default void begun(Delivery delivery, String destination) {}

    /**
     * An outcome was called of a delivery that had begun. The store has not confirmed it yet.
     *
     * @param destination as told when it began
     * @param leaseLost whether the lease was over by then, so that the outcome may change nothing
     */
    default void ended(Delivery delivery, String destination, Ending ending, boolean leaseLost) {}

    /** A delivery does not begin, because it is too early for it; its task comes again, as at the first time. */
    default void putOff(Delivery delivery) {}

    /** A task of this queue was not delivered because it was too late. */
    default void tooLate(String queue) {}

    /** Something in the store was due that cannot be read as a task, and is a dead task from now on. */
    default void quarantined(String queue, int tasks) {}

    /** What became of a delivery. */
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
