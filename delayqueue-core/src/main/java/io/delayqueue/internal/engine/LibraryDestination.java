// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.TaskDestination;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A destination of this library. Its {@link #unavailableFor} returns at once and runs no application code, so it may be
 * called on any thread.
 */
public interface LibraryDestination extends TaskDestination {

    /**
     * Returns whether the destination itself calls the interceptors, logs failed attempts and calls {@link
     * DeliveryEvents#begun}, within the observation of its deliveries. For other destinations the engine does this.
     */
    default boolean reportsAttempts() {
        return false;
    }

    /**
     * Returns how long a due task waits for its batch to fill up; null if the destination gets due tasks at once,
     * divided among idle workers.
     */
    default @Nullable Duration gathersFor() {
        return null;
    }

    /**
     * Starts the observation of a delivery. Unless the destination {@linkplain #reportsAttempts() reports attempts
     * itself}, the engine calls this before it hands the delivery over, and stops the observation with the outcome.
     */
    default DeliveryObservation observe(Delivery delivery) {
        return DeliveryObservation.NONE;
    }

    /** Returns a string that describes where this destination sends tasks. Processes compare these strings. */
    default String address() {
        return kind();
    }

    /**
     * Returns whether other processes should scan the shards of this process, because they may be able to deliver tasks
     * that this destination cannot. While there are other processes, this destination gets only tasks that they have
     * not acquired within the max-idle-interval.
     */
    default boolean leavesShardsToOthers() {
        return false;
    }

    /** Returns how long a task waits for its batch to fill up; zero for a destination without batches. */
    static Duration gathersFor(TaskDestination destination) {
        Duration wait = destination instanceof LibraryDestination library ? library.gathersFor() : null;
        return wait == null ? Duration.ZERO : wait;
    }

    /** Returns whether a destination belongs to the library and reports attempts. */
    static boolean reportsAttempts(TaskDestination destination) {
        return destination instanceof LibraryDestination library && library.reportsAttempts();
    }
}
