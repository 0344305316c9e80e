// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

import java.time.Duration;
import java.util.List;

/**
 * Where due tasks go.
 *
 * <p>{@link #deliver} is called by several worker threads of the application at once, never on a thread of a driver. For
 * every delivery exactly one of its outcomes has to be called, before or after {@code deliver} returns, on any thread. One
 * without an outcome costs its lease: the task is due again when that ends. What {@code deliver} throws fails the
 * deliveries that have no outcome yet.
 */
public interface TaskDestination {

    /** Delivers tasks acquired together, at least one. */
    void deliver(List<Delivery> deliveries);

    /**
     * Asked before tasks are acquired, on one of few threads that scan all queues, so it must not block for long. A positive answer says that the destination cannot take any
     * now and when to ask again; nothing is acquired until it answers zero.
     */
    default Duration unavailableFor() {
        return Duration.ZERO;
    }

    /**
     * Whether leases are renewed while deliveries run, for destinations that may take longer than a lease. Otherwise a
     * delivery has to end within its lease.
     */
    default boolean renewsLeases() {
        return false;
    }

    /**
     * Whether a task of which a lease ran out before is delivered only when no other such task is being delivered here. For
     * destinations that run code of the application, which may kill the process: then the innocent tasks beside it are not
     * under lease each time it happens.
     */
    default boolean isolatesSuspects() {
        return false;
    }

    /**
     * Whether it calls {@link Delivery#begin} before each delivery, so that a stop can release those of a batch that wait for
     * their turn. Otherwise a batch is begun as a whole when it is handed over.
     */
    default boolean beginsEach() {
        return false;
    }

    /** Whether it calls the application's interceptors around each delivery itself; otherwise that is done for it. */
    default boolean callsInterceptors() {
        return false;
    }

    /**
     * How many batches may be without outcomes after {@link #deliver} has returned, beside those that the workers are at. So
     * many more are acquired before settling holds acquiring back.
     */
    default int batchesAhead() {
        return 0;
    }

    /** Called once, after the last delivery has ended or the close time-out has passed. Also ends deliveries that hang. */
    default void close() {}
}
