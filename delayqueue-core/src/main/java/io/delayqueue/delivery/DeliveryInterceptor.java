// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

/**
 * Callback around each delivery to a handler or to RabbitMQ. {@code before} is called in Spring's bean order, {@code
 * after} and {@code error} in the reverse order, and only if {@code before} returned normally. Implementations must be
 * thread-safe. They may block, which delays other deliveries of the batch and eventually the queue, but no other queue.
 */
public interface DeliveryInterceptor {

    /**
     * Called before a delivery starts, on the delivering thread. An exception fails the attempt, and the delivery does
     * not start.
     */
    default void before(Delivery delivery) {}

    /**
     * Called after the destination has received the task. For a handler, called on the thread that ran it. For
     * RabbitMQ, called after the broker's confirm, on the publishing thread if it waited for the confirm, otherwise on
     * a {@code delayqueue-rabbit-<n>} thread, or on the connection's reader thread if no other can be created.
     */
    default void after(Delivery delivery) {}

    /** Called when the attempt failed or did not start. For RabbitMQ, the thread is as for {@link #after}. */
    default void error(Delivery delivery, Throwable error) {}
}
