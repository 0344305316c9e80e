// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control.web;

import io.delayqueue.InvalidTaskException;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.TaskStoreBusyException;
import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreFullException;
import io.delayqueue.UnknownQueueException;
import io.delayqueue.admin.ReshardException;
import io.delayqueue.internal.control.AccessRefusedException;
import io.delayqueue.internal.control.TaskChangedException;
import io.delayqueue.internal.control.TooManyOperationsException;
import io.delayqueue.internal.control.TooManyScansException;
import java.util.Locale;

/**
 * The reason why a request failed.
 *
 * @param status the HTTP status
 * @param title short description
 * @param message text of the error; empty for none
 * @param advice advice for the caller
 */
public record Problem(int status, String title, String message, String advice) {

    /** Returns a stable name of the problem for programs, such as {@code redis-did-not-answer}. */
    public String code() {
        return title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    }

    private static final String UNCHANGED = "Nothing was changed. ";

    /** Returns the problem of a call that would have changed something. */
    public static Problem of(RuntimeException ex) {
        return of(ex, UNCHANGED, "The change may have been made; check before you repeat it. ");
    }

    public static Problem ofRead(RuntimeException ex) {
        return of(ex, "", "");
    }

    private static Problem of(RuntimeException ex, String unchanged, String unknown) {
        String message = String.valueOf(ex.getMessage());
        if (ex instanceof AccessRefusedException) {
            return new Problem(
                    403,
                    "Not allowed",
                    message,
                    unchanged + "The application's QueueAccessResolver bean grants permissions.");
        }
        if (ex instanceof UnknownQueueException) {
            return new Problem(404, "Queue not found", message, "See the list of all queues.");
        }
        if (ex instanceof IllegalArgumentException || ex instanceof InvalidTaskException) {
            return new Problem(400, "Invalid input", message, unchanged + "Correct the input and retry.");
        }
        if (ex instanceof TaskChangedException) {
            return new Problem(
                    409, "The task has changed", message, unchanged + "Look at the task, then decide again.");
        }
        if (ex instanceof ReshardException) {
            return new Problem(409, "The queue cannot be resharded now", message, unchanged + "Retry later.");
        }
        if (ex instanceof TooManyScansException) {
            return new Problem(429, "Too many searches", message, "Wait until a search has ended, or narrow yours.");
        }
        if (ex instanceof TooManyOperationsException) {
            return new Problem(429, "Too many operations", message, "Wait until an operation has ended, or stop one.");
        }
        if (ex instanceof TaskNotReplicatedException) {
            return new Problem(
                    503,
                    "Changed, but on too few replicas",
                    message,
                    "The change was made, but a failover of Redis may lose it. Check the replicas "
                            + "before you repeat it.");
        }
        return ex instanceof TaskStoreException store
                ? ofStore(store, message, store.mayHaveBeenApplied() ? unknown : unchanged)
                : new Problem(500, "Something went wrong", message, "See the log of the application.");
    }

    private static Problem ofStore(TaskStoreException ex, String message, String changed) {
        if (ex instanceof TaskStoreFullException) {
            return new Problem(
                    503,
                    "Redis is full",
                    message,
                    changed + "Existing tasks are still delivered. Free memory in Redis.");
        }
        if (ex instanceof TaskStoreCorruptException) {
            return new Problem(
                    500,
                    "Unreadable data in Redis",
                    message,
                    changed + "Another program or a newer version wrote this key. Retrying does not help.");
        }
        if (ex instanceof TaskStoreBusyException) {
            return new Problem(503, "Too many calls", message, changed + "Retry in a moment.");
        }
        return new Problem(
                503,
                "Redis did not answer",
                message,
                changed + "The tasks are safe in Redis and will be delivered when it is available. If this "
                        + "lasts, check the application's health and log.");
    }
}
