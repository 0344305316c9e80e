// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

import io.delayqueue.Due;
import java.time.Duration;
import java.util.Optional;

/**
 * A delivery as seen by its destination, which settles it with one {@link Outcome}. The first outcome counts. No method
 * blocks, except {@link #extendLease} and, if transactions are checked, {@link #begin}. Thread-safe.
 */
public interface OpenDelivery extends Delivery {

    /**
     * Starts the delivery. A destination that {@linkplain TaskDestination#deliversOneByOne() delivers one by one} calls
     * this before each task, and skips tasks for which it returns {@code false}: a stop or a long wait has released
     * them, and another process may have them.
     */
    boolean begin();

    /**
     * Extends the lease to at least this long from now, up to a hundred years. Blocks until the store has replied.
     *
     * @return whether this process holds the lease until then
     * @throws io.delayqueue.TaskStoreException if the store did not reply; the lease then ends as before
     */
    boolean extendLease(Duration atLeast);

    /**
     * Makes {@link Outcome#delivered()} end only this round and keep the task. The task is then due again with a new
     * task key and without the attempts of this round. A cancel, a reschedule or another task with the id in the
     * meantime takes precedence. Any other outcome discards this request. The last call before the outcome counts.
     *
     * @param due time when the task is due again. A delay starts at the outcome, by the Redis server's clock.
     */
    void again(Due due);

    /**
     * Makes the attempt fail with this error when the handler has ended, whatever it returns or throws. The last call
     * counts.
     */
    void failWith(Throwable error);

    /** Returns the error of {@link #failWith}. */
    Optional<Throwable> failure();

    /** Returns whether a stop is interrupting this delivery, so that its failure says nothing about the task. */
    boolean isInterrupted();

    /**
     * Settles the delivery.
     *
     * @return whether this is the first outcome; later outcomes change nothing
     */
    boolean settle(Outcome outcome);
}
