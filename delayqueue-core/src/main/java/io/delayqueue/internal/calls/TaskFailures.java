// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskStoreBusyException;
import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreFullException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.internal.concurrent.Causes;

/** Creates the exception of each task from the failure of a call with several tasks. */
public final class TaskFailures {

    private TaskFailures() {}

    public static DelayQueueException known(Throwable error) {
        Throwable cause = Causes.of(error);
        return (cause instanceof DelayQueueException known)
                ? known
                : new DelayQueueException("The call failed; see the cause", cause);
    }

    /** Returns whether the server caused the failure, so that separate calls for the tasks would also fail. */
    public static boolean concernsAll(DelayQueueException failure) {
        return failure instanceof TaskStoreTimeoutException
                || failure instanceof TaskStoreBusyException
                || failure instanceof TaskStoreUnavailableException
                || failure instanceof TaskStoreFullException;
    }

    /**
     * Returns whether a server cannot be reached or refuses calls for now. {@code internal.redis} logs this once for
     * each server, so the queues do not log it.
     */
    public static boolean isOutage(Throwable error) {
        return Causes.of(error) instanceof TaskStoreUnavailableException unavailable
                && !unavailable.mayHaveBeenApplied();
    }

    /** Returns a new exception of the same kind that names one task of a queue. */
    public static DelayQueueException ofTask(DelayQueueException failure, String queue, String id) {
        String message =
                "Queue '" + queue + "', task '" + id + "' (sent together with others): " + failure.getMessage();
        boolean mayHaveBeenApplied = !(failure instanceof TaskStoreException store) || store.mayHaveBeenApplied();
        return ofItsKind(failure, message, mayHaveBeenApplied);
    }

    /**
     * Returns the failure of a step of a call.
     *
     * @param begun whether earlier steps have changed something, as {@code part} says
     */
    public static DelayQueueException afterAPart(Throwable error, boolean begun, String part) {
        DelayQueueException cause = known(error);
        if (!begun
                || !(cause instanceof TaskStoreException)
                || cause instanceof ShardingChangedException
                || cause instanceof TaskMigratingException) {
            return cause;
        }
        return ofItsKind(cause, cause.getMessage() + " (" + part + ")", true);
    }

    private static TaskStoreException ofItsKind(DelayQueueException cause, String message, boolean mayHaveBeenApplied) {
        if (cause instanceof TaskStoreTimeoutException) {
            return new TaskStoreTimeoutException(message, mayHaveBeenApplied, cause);
        }
        if (cause instanceof TaskStoreUnavailableException) {
            return new TaskStoreUnavailableException(message, mayHaveBeenApplied, cause);
        }
        if (cause instanceof TaskStoreFullException) {
            return new TaskStoreFullException(message, mayHaveBeenApplied, cause);
        }
        if (cause instanceof TaskStoreBusyException) {
            return new TaskStoreBusyException(message, mayHaveBeenApplied, cause);
        }
        if (cause instanceof TaskStoreCorruptException) {
            return new TaskStoreCorruptException(message, mayHaveBeenApplied, cause);
        }
        return new TaskStoreException(message, mayHaveBeenApplied, cause);
    }

    /** Returns the failure of a task that could not be sent because earlier calls got no reply. */
    public static TaskStoreTimeoutException notSent(String what) {
        return new TaskStoreTimeoutException(
                what + ": Redis did not answer in time (delayqueue.redis.command-timeout); the task was not "
                        + "sent, because earlier calls got no reply",
                false,
                null);
    }

    /** Returns the failure of a call that did not run, because all its attempts failed for this reason. */
    public static DelayQueueException unsent(DelayQueueException reason, String what) {
        return ofItsKind(
                reason,
                what + ": the task was not stored in time (delayqueue.redis.command-timeout). " + reason.getMessage(),
                false);
    }

    /** Returns the failure of a call that never left this process. */
    public static TaskStoreUnavailableException unreachable(String what) {
        return new TaskStoreUnavailableException(
                what + ": Redis could not be reached in time"
                        + " (delayqueue.redis.command-timeout); the task was not sent",
                false,
                null);
    }
}
