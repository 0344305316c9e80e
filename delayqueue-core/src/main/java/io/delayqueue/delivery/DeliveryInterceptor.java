// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

/**
 * Code around each delivery, to either kind of destination. Interceptors are ordered as Spring orders beans; {@code
 * before} is called in that order, {@code after} and {@code error} in the reverse one, and only where {@code before}
 * returned. Called by many threads at once. May block: that holds up the deliveries of the same batch and, as the
 * queue's workers and the number of its unsettled tasks are bounded, in the end its queue, but no other queue.
 */
public interface DeliveryInterceptor {

    /**
     * Before a delivery begins, on the thread that delivers. What it throws fails the attempt, and the delivery does
     * not begin.
     */
    default void before(Delivery delivery) {}

    /**
     * The destination has the task. For a handler on the thread that ran it; for RabbitMQ after the broker's confirm,
     * on the thread that published the batch if that waited for it, or else on one of the publisher's, {@code
     * delayqueue-rabbit-<n>}, of which there are as many as batches being ended. Only where no thread can be made
     * is it the one that reads the connection.
     */
    default void after(Delivery delivery) {}

    /** The attempt failed or did not begin, on the thread that knows: for RabbitMQ as with {@link #after}. */
    default void error(Delivery delivery, Throwable error) {}
}
