// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

import io.delayqueue.Due;
import java.time.Duration;
import java.util.Optional;

/**
 * A delivery as seen by its destination, which settles it with an {@link Outcome}. Only the first outcome counts. No
 * method blocks, except {@link #extendLease} and, if the outbox is checked before deliveries, {@link #begin}.
 * Thread-safe.
 */
public interface OpenDelivery extends Delivery {

    /**
     * Starts the delivery. A destination that {@linkplain TaskDestination#deliversOneByOne() delivers one by one} calls
     * this before each task. It must skip the task if this returns {@code false}: the task was released by a stop or
     * after a long wait, and another process may have acquired it.
     */
    boolean begin();

    /**
     * Extends the lease to at least this duration from now, up to a hundred years. Blocks until the store has replied.
     *
     * @return whether this process holds the lease until then
     * @throws io.delayqueue.TaskStoreException if the store did not reply; the lease then ends as before
     */
    boolean extendLease(Duration atLeast);

    /**
     * Requests another round: after {@link Outcome#delivered()}, the task is not deleted, but due again with a new task
     * key and without the attempts of this round. A concurrent cancel, reschedule or schedule with the same id takes
     * precedence. Any other outcome discards this request. If called several times, the last call before the outcome
     * counts.
     *
     * @param due due time of the next round. A delay starts at the outcome, by the Redis server's clock.
     */
    void again(Due due);

    /**
     * Makes the attempt fail with this error when the handler ends, whatever it returns or throws. If called several
     * times, the last call counts.
     */
    void failWith(Throwable error);

    /** Returns the error of {@link #failWith}. */
    Optional<Throwable> failure();

    /**
     * Sets a callback that stops the work of this delivery if its task is cancelled with an interrupt. Runs it at once
     * if that has already happened. It runs on another thread and must be fast.
     */
    void onInterrupt(Runnable step);

    /** Returns whether a shutdown is interrupting this delivery. A failure then says nothing about the task. */
    boolean isInterrupted();

    /**
     * Settles the delivery.
     *
     * @return whether this is the first outcome; later outcomes have no effect
     */
    boolean settle(Outcome outcome);
}
