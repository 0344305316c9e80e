// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Changes all tasks of a queue that match a filter, for code of the application. Each call starts an operation in the
 * background and returns it; {@link #find} returns its progress. The operation reads and changes pages of up to 500
 * tasks. If the process dies, {@link #resume} continues the operation in any process.
 *
 * <p>Cancel, reschedule and deliver select waiting tasks. If a delivery of such a task starts before the operation
 * changes it, the task is still changed, and its handler is not stopped: {@link OperationView#inFlight} counts these.
 *
 * <p>The application needs no permission. Audit entries name it as {@code application}. Operations for a user with
 * permissions are those of {@link QueueControl#bulk()}. Safe for use by many threads.
 *
 * <p>All calls that start an operation throw {@link io.delayqueue.UnknownQueueException} if the queue is not
 * configured, {@link TooManyOperationsException} if this process runs as many operations as it may, and {@link
 * io.delayqueue.TaskStoreException} if Redis does not answer.
 */
public final class BulkOperations {

    private final BulkControl bulk;

    BulkOperations(BulkControl bulk) {
        this.bulk = bulk;
    }

    /**
     * Makes dead tasks live again.
     *
     * @param perSecond maximum number of tasks that become due per second, 1 to 1,000,000
     */
    public OperationView redrive(String queue, TaskFilter filter, int perSecond) {
        return start(queue, BulkAction.REDRIVE, filter, null, perSecond);
    }

    /** Deletes dead tasks. */
    public OperationView discard(String queue, TaskFilter filter) {
        return start(queue, BulkAction.DISCARD, filter, null, null);
    }

    /** Cancels waiting tasks. */
    public OperationView cancel(String queue, TaskFilter filter) {
        return start(queue, BulkAction.CANCEL, filter, null, null);
    }

    /** Gives waiting tasks another due time, the same for all. */
    public OperationView reschedule(String queue, TaskFilter filter, Instant dueAt) {
        return start(queue, BulkAction.RESCHEDULE, filter, dueAt, null);
    }

    /**
     * Makes waiting tasks due, except tasks that are due earlier anyway.
     *
     * @param perSecond maximum number of tasks that become due per second, 1 to 1,000,000
     */
    public OperationView deliver(String queue, TaskFilter filter, int perSecond) {
        return start(queue, BulkAction.DELIVER, filter, null, perSecond);
    }

    private OperationView start(
            String queue, BulkAction action, TaskFilter filter, @Nullable Instant to, @Nullable Integer perSecond) {
        return bulk.start(Caller.APPLICATION, new BulkRequest(queue, action, filter, to, perSecond, false));
    }

    /** Returns the operations of all processes and callers, the oldest first. */
    public List<OperationView> all() {
        return bulk.all(Caller.APPLICATION);
    }

    /** Returns an operation; empty if it does not exist or ended more than a day ago. */
    public Optional<OperationView> find(String handle) {
        return bulk.find(Caller.APPLICATION, handle);
    }

    /** Ends an operation before its next page, in whichever process it runs. */
    public Optional<OperationView> stop(String handle) {
        return bulk.stop(Caller.APPLICATION, handle);
    }

    /** Continues an operation that was stopped, has failed, or whose process has been silent for 15 seconds. */
    public Optional<OperationView> resume(String handle) {
        return bulk.resume(Caller.APPLICATION, handle);
    }
}
