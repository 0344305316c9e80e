// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

import java.time.Duration;
import java.util.List;

/**
 * Where due tasks go.
 *
 * <p>{@link #deliver} is called by several worker threads of the application at once, never on a thread of a driver.
 * Every delivery has to be {@linkplain OpenDelivery#settle settled} once, before or after {@code deliver} returns, on any
 * thread. One without an outcome costs its lease: the task is due again when that ends. What {@code deliver} throws
 * fails the deliveries that have no outcome yet.
 */
public interface TaskDestination {

    /** Delivers tasks acquired together, at least one. */
    void deliver(List<OpenDelivery> deliveries);

    /**
     * Asked before tasks are acquired, on one of few threads that scan all queues, so it must not block for long. A
     * positive answer says that the destination cannot take any now and when to ask again; nothing is acquired until it
     * answers zero.
     */
    default Duration unavailableFor() {
        return Duration.ZERO;
    }

    /**
     * Returns whether {@link #deliver} delivers the tasks of a batch one after the other, and may take longer than a lease,
     * such as when it runs code of the application. Then it must call {@link OpenDelivery#begin} before each task, so that a
     * stop can release those that wait for their turn; leases are renewed until the outcome; and tasks whose lease
     * expired before are delivered one at a time, because one of them may be killing the process. Otherwise a batch begins
     * as a whole when it is handed over, and each delivery must end within its lease. Always the same.
     */
    default boolean deliversOneByOne() {
        return false;
    }

    /**
     * Returns how many batches may be without outcomes after {@link #deliver} has returned, beside those that the workers
     * are at. So many more are acquired before slow settling holds acquiring back. Always the same.
     */
    default int batchesAhead() {
        return 0;
    }

    /**
     * A short word for the kind of this destination, which meters and traces tag deliveries with: one of few, and always
     * the same. Those of this library are {@code handler} and {@code rabbitmq}.
     */
    default String kind() {
        return "other";
    }

    /**
     * Called once, after the last delivery has ended or the close time-out has passed. Also ends deliveries that hang.
     */
    default void close() {}
}
