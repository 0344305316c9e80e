// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskStoreBusyException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreFullException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.store.LayoutChangedException;
import io.delayqueue.store.Shard;
import io.delayqueue.store.TaskMovingException;
import java.util.concurrent.CompletionException;

/** What the failure of a call that carried several tasks means for each of them. */
final class TaskFailures {

    private TaskFailures() {}

    static DelayQueueException known(Throwable error) {
        Throwable cause = (error instanceof CompletionException && error.getCause() != null) ? error.getCause() : error;
        return (cause instanceof DelayQueueException known)
                ? known
                : new DelayQueueException("The tasks of one call could not be scheduled; see the cause", cause);
    }

    /** Whether the server is the reason, so that the tasks would fail one by one as well. */
    static boolean concernsAll(DelayQueueException failure) {
        return failure instanceof TaskStoreTimeoutException
                || failure instanceof TaskStoreBusyException
                || failure instanceof TaskStoreUnavailableException
                || failure instanceof TaskStoreFullException;
    }

    /** The same for one task: a new exception, which names it. */
    static DelayQueueException ofTask(DelayQueueException failure, Shard shard, String id) {
        String message = "Queue '" + shard.queue() + "', task '" + id + "', sent with others. " + failure.getMessage();
        if (failure instanceof TaskStoreTimeoutException timeout) {
            return new TaskStoreTimeoutException(message, timeout.mayHaveBeenApplied(), timeout);
        }
        if (failure instanceof TaskStoreUnavailableException unavailable) {
            return new TaskStoreUnavailableException(message, unavailable.mayHaveBeenApplied(), unavailable);
        }
        if (failure instanceof TaskStoreFullException full) {
            return new TaskStoreFullException(message, full.mayHaveBeenApplied(), full);
        }
        if (failure instanceof TaskStoreBusyException busy) {
            return new TaskStoreBusyException(message, busy.mayHaveBeenApplied(), busy);
        }
        boolean mayHaveBeenApplied = !(failure instanceof TaskStoreException store) || store.mayHaveBeenApplied();
        return new TaskStoreException(message, mayHaveBeenApplied, failure);
    }

    /** The same where a part of the call has changed something, so that it is not as if nothing had been sent. */
    static Throwable afterAPart(Throwable cause, String part) {
        if (!(cause instanceof TaskStoreException known)
                || known.mayHaveBeenApplied()
                || cause instanceof LayoutChangedException
                || cause instanceof TaskMovingException) {
            return cause;
        }
        String message = known.getMessage() + " (" + part + ")";
        if (known instanceof TaskStoreTimeoutException) {
            return new TaskStoreTimeoutException(message, true, known);
        }
        if (known instanceof TaskStoreUnavailableException) {
            return new TaskStoreUnavailableException(message, true, known);
        }
        if (known instanceof TaskStoreFullException) {
            return new TaskStoreFullException(message, true, known);
        }
        if (known instanceof TaskStoreBusyException) {
            return new TaskStoreBusyException(message, true, known);
        }
        return new TaskStoreException(message, true, known);
    }

    static TaskStoreTimeoutException lateSweep(String queue, String id) {
        return new TaskStoreTimeoutException(
                "Queue '" + queue + "', task '" + id
                        + "': not all shards could be asked in time (delayqueue.redis.command-timeout); the call may or"
                        + " may not have run",
                true,
                null);
    }

    static TaskStoreTimeoutException late(Shard shard, String id, boolean sent) {
        return new TaskStoreTimeoutException(
                "Queue '" + shard.queue() + "', shard " + shard.index() + ", schedule '" + id
                        + "': Redis did not answer in time (delayqueue.redis.command-timeout); "
                        + (sent
                                ? "the call may or may not have run"
                                : "the task was not sent, as calls before it were" + " not answered"),
                sent,
                null);
    }
}
