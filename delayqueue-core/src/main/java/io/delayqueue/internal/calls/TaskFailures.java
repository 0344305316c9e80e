// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskStoreBusyException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreFullException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.internal.concurrent.Causes;

/** What the failure of a call that carried several tasks means for each of them. */
public final class TaskFailures {

    private TaskFailures() {}

    public static DelayQueueException known(Throwable error) {
        Throwable cause = Causes.of(error);
        return (cause instanceof DelayQueueException known)
                ? known
                : new DelayQueueException("The tasks of one call could not be scheduled; see the cause", cause);
    }

    /** Whether the server is the reason, so that the tasks would fail one by one as well. */
    public static boolean concernsAll(DelayQueueException failure) {
        return failure instanceof TaskStoreTimeoutException
                || failure instanceof TaskStoreBusyException
                || failure instanceof TaskStoreUnavailableException
                || failure instanceof TaskStoreFullException;
    }

    /** The same for one task of a queue: a new exception, which names it. */
    public static DelayQueueException ofTask(DelayQueueException failure, String queue, String id) {
        String message = "Queue '" + queue + "', task '" + id + "', sent with others. " + failure.getMessage();
        boolean mayHaveBeenApplied = !(failure instanceof TaskStoreException store) || store.mayHaveBeenApplied();
        return ofItsKind(failure, message, mayHaveBeenApplied);
    }

    /** The same where a part of the call has changed something, so that it is not as if nothing had been sent. */
    public static Throwable afterAPart(Throwable cause, String part) {
        if (!(cause instanceof TaskStoreException known)
                || known.mayHaveBeenApplied()
                || cause instanceof ShardingChangedException
                || cause instanceof TaskMigratingException) {
            return cause;
        }
        String message = known.getMessage() + " (" + part + ")";
        return ofItsKind(known, message, true);
    }

    /** The same where nothing was sent, and nothing will be. */
    public static Throwable noneWasSent(Throwable cause) {
        return (cause instanceof TaskStoreException known && known.mayHaveBeenApplied())
                ? ofItsKind(known, known.getMessage() + " (nothing was sent)", false)
                : cause;
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
        return new TaskStoreException(message, mayHaveBeenApplied, cause);
    }

    /**
     * No answer came to the call that carried the task.
     *
     * @param what the call, for messages: names the queue and the task
     */
    public static TaskStoreTimeoutException late(String what) {
        return new TaskStoreTimeoutException(
                what + ": Redis did not answer in time (delayqueue.redis.command-timeout); the call may or"
                        + " may not have run",
                true,
                null);
    }

    /** No call could be made for the task, since none of those before it were answered. */
    public static TaskStoreTimeoutException notSent(String what) {
        return new TaskStoreTimeoutException(
                what + ": Redis did not answer in time (delayqueue.redis.command-timeout); the task was not"
                        + " sent, as calls before it were not answered",
                false,
                null);
    }

    /** A call was made for the task, but each of its tries failed for this reason, and it did not run. */
    public static DelayQueueException unsent(DelayQueueException reason, String what) {
        return ofItsKind(
                reason,
                what + ": the task was not stored in time (delayqueue.redis.command-timeout). " + reason.getMessage(),
                false);
    }

    /** A call was made for the task, but it never left this process. */
    public static TaskStoreUnavailableException unreachable(String what) {
        return new TaskStoreUnavailableException(
                what + ": Redis cannot be reached in time"
                        + " (delayqueue.redis.command-timeout); the task was not sent",
                false,
                null);
    }
}
