// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

import java.time.Duration;
import java.util.List;

/**
 * The destination of due tasks.
 *
 * <p>Several worker threads of the application call {@link #deliver} concurrently, never a driver's thread. Each
 * delivery must be {@linkplain OpenDelivery#settle settled} once, before or after {@code deliver} returns, on any
 * thread. An unsettled delivery keeps its lease until it expires; the task is then due again. An exception from
 * {@code deliver} fails the deliveries that are not settled yet.
 */
public interface TaskDestination {

    /** Delivers at least one task. The tasks were acquired together. */
    void deliver(List<OpenDelivery> deliveries);

    /**
     * Returns zero if the destination accepts tasks now, and otherwise the time after which to check again. The trigger
     * acquires nothing until this returns zero. Called before each acquire on a thread that scans all queues, so it
     * must not block for long.
     */
    default Duration unavailableFor() {
        return Duration.ZERO;
    }

    /**
     * Returns whether {@link #deliver} processes the tasks of a batch one after the other and may take longer than a
     * lease, for example because it runs application code. It must then call {@link OpenDelivery#begin} before each
     * task, so that a stop can release waiting tasks. Leases are renewed until the outcome. Tasks whose lease has
     * expired before are delivered one at a time, because any of them may kill the process. If {@code false}, a batch
     * starts as a whole when it is handed over, and each delivery must end within its lease. The result must not
     * change.
     */
    default boolean deliversOneByOne() {
        return false;
    }

    /**
     * Returns how many batches may be unsettled after {@link #deliver} has returned, in addition to those that workers
     * are processing. The trigger acquires this many more batches before it waits for settlements. The result must not
     * change.
     */
    default int batchesAhead() {
        return 0;
    }

    /**
     * Returns a short name for the kind of this destination, which is a tag of meters and traces. There must be few
     * such names, and the result must not change. This library uses {@code handler} and {@code rabbitmq}.
     */
    default String kind() {
        return "other";
    }

    /**
     * Called once, after the last delivery has ended or the close time-out has passed. Also ends deliveries that hang.
     */
    default void close() {}
}
