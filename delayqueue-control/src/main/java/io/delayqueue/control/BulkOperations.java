// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Changes all tasks of a queue that match a filter. Inject this bean into your code. Each call starts an operation in
 * the background and returns at once; {@link #find} returns its progress. The operation reads and changes pages of up
 * to 500 tasks. Redrive and discard skip tasks that die after the start. If the process dies, {@link #resume} continues
 * the operation in any process.
 *
 * <p>Cancel, reschedule and deliver select waiting tasks. If a delivery of such a task starts before the operation
 * changes it, the task is still changed, and its handler keeps running. Cancel and erase also delete such a task if it
 * has died. {@link OperationView#inFlight} counts these tasks.
 *
 * <p>The application needs no permission. Audit entries name it as {@code application}. Thread-safe.
 *
 * <p>All calls that start an operation throw {@link io.delayqueue.UnknownQueueException} if the queue is not
 * configured, {@link IllegalArgumentException} if a rate is out of range, {@link io.delayqueue.DelayQueueException} if
 * this process already runs eight operations, and {@link io.delayqueue.TaskStoreException} if Redis does not answer.
 */
public interface BulkOperations {

    /**
     * Redrives dead tasks at a limited rate.
     *
     * @param perSecond maximum number of tasks that become due per second, 1 to 1,000,000
     */
    OperationView redrive(String queue, TaskFilter filter, int perSecond);

    /** Deletes dead tasks. */
    OperationView discard(String queue, TaskFilter filter);

    /**
     * Deletes waiting and dead tasks with their payloads, and what the library has recorded about them, also about
     * earlier tasks of these ids: rows of the outbox with their committed calls, rejected rows, and entries of
     * histories. {@link OperationView#erased} counts them, and the tasks in progress, which stay; repeat the call for
     * these.
     *
     * @param filter a key, a group or an id prefix without other conditions, or {@link TaskFilter#ALL}
     * @throws IllegalArgumentException if the filter has other conditions
     */
    OperationView erase(String queue, TaskFilter filter);

    /** Cancels waiting tasks. */
    OperationView cancel(String queue, TaskFilter filter);

    /**
     * Reschedules waiting tasks to the same due time. They become due together; to avoid a peak, use {@link #spread}.
     */
    OperationView reschedule(String queue, TaskFilter filter, Instant dueAt);

    /**
     * Spreads the due times of waiting tasks evenly over a period. The due time of a task depends on its id, so a
     * repeated call changes nothing.
     *
     * @param from start of the period
     * @param over length of the period; zero gives all tasks the same due time
     */
    OperationView spread(String queue, TaskFilter filter, Instant from, Duration over);

    /**
     * Moves the due times of waiting tasks. For a task that waits for a retry, moves its next attempt. Each task moves
     * once, even if the operation is resumed. Skips tasks that would be due after the year 9999, and tasks that are
     * held back because their key is over a limit.
     *
     * <p>Pause the queue before a shift to earlier times. Otherwise, if a task becomes due and fails during the shift,
     * its next attempt can also be moved.
     *
     * @param by shift of at least a second; negative for earlier. Tasks that are moved into the past are due at once.
     */
    OperationView shift(String queue, TaskFilter filter, Duration by);

    /**
     * Makes waiting tasks due one after another, at a limited rate. A task that is due before its turn keeps its due
     * time.
     *
     * @param perSecond maximum number of tasks that become due per second, 1 to 1,000,000
     */
    OperationView deliver(String queue, TaskFilter filter, int perSecond);

    /** Returns the operations of all processes and callers, the oldest first. */
    List<OperationView> all();

    /** Returns an operation; empty if it does not exist or ended more than a day ago. */
    Optional<OperationView> find(String handle);

    /** Stops an operation, in any process, before its next page. Does nothing if the operation has ended. */
    Optional<OperationView> stop(String handle);

    /** Resumes an operation that was stopped or failed, or whose process has sent no heartbeat for 15 seconds. */
    Optional<OperationView> resume(String handle);
}
