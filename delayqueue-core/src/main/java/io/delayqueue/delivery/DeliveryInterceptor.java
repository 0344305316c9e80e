// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

/**
 * Callback around each delivery to a handler or to RabbitMQ. Interceptors follow Spring's bean order: {@code before} is
 * called in that order, {@code after} and {@code error} in reverse, and only if {@code before} returned.
 * Implementations must be thread-safe. They may block: this delays deliveries of the same batch and, because workers
 * and unsettled tasks are limited, eventually the queue, but no other queue.
 */
public interface DeliveryInterceptor {

    /**
     * Called before a delivery starts, on the delivering thread. An exception fails the attempt, and the delivery does
     * not start.
     */
    default void before(Delivery delivery) {}

    /**
     * Called when the destination has the task. For a handler, this is on the thread that ran it. For RabbitMQ, it is
     * after the broker's confirm, on the publishing thread if that waited for the confirm, otherwise on a
     * {@code delayqueue-rabbit-<n>} thread; there is one for each ending batch. If no thread can be created, it is the
     * thread that reads the connection.
     */
    default void after(Delivery delivery) {}

    /** Called when the attempt failed or did not start. For RabbitMQ, the thread is as for {@link #after}. */
    default void error(Delivery delivery, Throwable error) {}
}
