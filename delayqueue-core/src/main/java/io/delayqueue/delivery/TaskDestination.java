// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

import java.time.Duration;
import java.util.List;

/**
 * The destination of due tasks.
 *
 * <p>Worker threads of the application call {@link #deliver} concurrently; threads of a driver never do. {@linkplain
 * OpenDelivery#settle Settle} each delivery once, on any thread, before or after {@code deliver} returns. If a delivery
 * is not settled, the task is due again when the lease expires. If {@code deliver} throws, the deliveries that are not
 * settled yet fail.
 */
public interface TaskDestination {

    /** Delivers at least one task. The tasks were acquired together. */
    void deliver(List<OpenDelivery> deliveries);

    /**
     * Returns zero if the destination accepts tasks now, otherwise the time after which to check again. The trigger
     * acquires no tasks until this returns zero. Called before each acquire on a thread that scans all queues, so it
     * must not block for long.
     */
    default Duration unavailableFor() {
        return Duration.ZERO;
    }

    /**
     * Returns whether {@link #deliver} processes the tasks of a batch one after another and may take longer than a
     * lease, for example because it runs application code. If {@code true}, it must call {@link OpenDelivery#begin}
     * before each task, so that a stop can release waiting tasks. Leases are renewed until the outcome, and a task
     * whose lease has expired before is delivered alone, because it may have killed its process. If {@code false}, all
     * deliveries of a batch start when it is handed over, and must end within their leases. The result must not change.
     */
    default boolean deliversOneByOne() {
        return false;
    }

    /**
     * Returns how many batches may be unsettled after {@link #deliver} has returned, in addition to the batches that
     * workers are processing. The trigger acquires this number of additional batches before it waits for settlements.
     * The result must not change.
     */
    default int batchesAhead() {
        return 0;
    }

    /**
     * Returns a short name for the kind of this destination, used as a tag in metrics and traces. Use only a few such
     * names. The result must not change. This library uses {@code handler} and {@code rabbitmq}.
     */
    default String kind() {
        return "other";
    }

    /**
     * Closes the destination. Called once, after the last delivery has ended or the shutdown time-out has passed. Must
     * end deliveries that hang.
     */
    default void close() {}
}
