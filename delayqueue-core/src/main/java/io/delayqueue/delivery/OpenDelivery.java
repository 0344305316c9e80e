// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

import io.delayqueue.Due;
import java.time.Duration;
import java.util.Optional;

/**
 * A delivery in the hands of its destination, which ends it with one {@link Outcome}. The first outcome counts. None of the
 * methods blocks, except {@link #extendLease} and, where transactions are checked, {@link #begin}. Safe for use by many
 * threads.
 */
public interface OpenDelivery extends Delivery {

    /**
     * Begins the delivery. A destination that {@linkplain TaskDestination#deliversOneByOne() delivers one by one} calls this
     * before each task, and leaves alone those that answer false: a stop, or a long wait for their turn, has released
     * them, and another process may have
     * them.
     */
    boolean begin();

    /**
     * Puts off the end of the lease to at least this long from now. A hundred years are the most. Blocks until the store has
     * answered.
     *
     * @return whether the lease is ours until then
     * @throws io.delayqueue.TaskStoreException if the store did not answer; the lease then ends when it would have
     */
    boolean extendLease(Duration atLeast);

    /**
     * Makes {@link Outcome#delivered()} end this round of the task instead of the task. The task is then due again, under a
     * task key of its own and without the attempts of this round. A cancel, a reschedule or another task of the id that came
     * meanwhile wins. Any other outcome forgets this. The last call before the outcome counts.
     *
     * @param due when the task is due again. A delay counts from the outcome, by the Redis server's clock
     */
    void again(Due due);

    /**
     * Has the attempt fail with this error when the handler has ended, whatever else it returns or throws. The last call
     * counts.
     */
    void failWith(Throwable error);

    /** Returns what {@link #failWith} was called with. */
    Optional<Throwable> failure();

    /**
     * Sets what stops the work of this delivery when somebody cancels its task and asks for that. Runs it at once if that has
     * happened. It runs on another thread and must be quick.
     */
    void onInterrupt(Runnable step);

    /** Returns whether a stop interrupts this delivery, so that its failure says nothing about the task. */
    boolean isInterrupted();

    /**
     * Ends the delivery.
     *
     * @return whether this is the first outcome; a later one changes nothing
     */
    boolean settle(Outcome outcome);
}
