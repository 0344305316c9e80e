// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.engine;

/**
 * Code around each delivery, to either kind of destination. Interceptors are ordered as Spring orders beans; {@code before}
 * is called in that order, {@code after} and {@code error} in the reverse one, and only where {@code before} returned.
 * Called by many threads at once.
 */
public interface DeliveryInterceptor {

    /**
     * Before a delivery begins, on the thread that delivers. What it throws fails the attempt, and the delivery does not
     * begin.
     */
    default void before(Delivery delivery) {}

    /**
     * The destination has the task. For a handler on the thread that ran it; for RabbitMQ after the broker's confirm, on any
     * thread.
     */
    default void after(Delivery delivery) {}

    /** The attempt failed, on the thread that knows. */
    default void error(Delivery delivery, Throwable error) {}
}
