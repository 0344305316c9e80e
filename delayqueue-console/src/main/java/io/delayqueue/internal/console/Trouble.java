// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import io.delayqueue.InvalidTaskException;
import io.delayqueue.TaskStoreBusyException;
import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreFullException;
import io.delayqueue.UnknownQueueException;
import io.delayqueue.admin.PurgeNotConfirmedException;
import io.delayqueue.admin.ResizeException;
import io.delayqueue.control.AccessRefusedException;
import io.delayqueue.control.TooManyOperationsException;
import io.delayqueue.internal.console.page.TooManyExportsException;

/**
 * Why something was not done, for people.
 *
 * @param status of HTTP
 * @param title what is the matter
 * @param message the error's own words; empty for none
 * @param advice what to do
 */
record Trouble(int status, String title, String message, String advice) {

    static Trouble of(RuntimeException ex) {
        String message = String.valueOf(ex.getMessage());
        if (ex instanceof AccessRefusedException) {
            return new Trouble(
                    403,
                    "You may not do that",
                    message,
                    "Nothing was changed. Ask whoever looks after the application for the permission; the bean"
                            + " QueueAccessResolver gives it.");
        }
        if (ex instanceof UnknownQueueException) {
            return new Trouble(404, "There is no such queue", message, "Look at the list of all queues.");
        }
        if (ex instanceof IllegalArgumentException
                || ex instanceof InvalidTaskException
                || ex instanceof PurgeNotConfirmedException) {
            return new Trouble(
                    400, "That cannot be done as it stands", message, "Nothing was changed. Go back and correct it.");
        }
        if (ex instanceof ResizeException) {
            return new Trouble(
                    409, "The queue cannot be resized now", message, "Nothing was changed. Try again later.");
        }
        if (ex instanceof TooManyExportsException) {
            return new Trouble(429, "Too many files are made now", message, "Try again when one of them is finished.");
        }
        if (ex instanceof TooManyOperationsException) {
            return new Trouble(429, "Too many operations run", message, "Wait until one has ended, or stop one.");
        }
        return ex instanceof TaskStoreException store
                ? ofStore(store, message)
                : new Trouble(500, "That went wrong", message, "Look at the log.");
    }

    private static Trouble ofStore(TaskStoreException ex, String message) {
        String changed = ex.mayHaveBeenApplied()
                ? "What was asked for may have been done or not; look before you repeat it. "
                : "Nothing was changed. ";
        if (ex instanceof TaskStoreFullException) {
            return new Trouble(
                    503, "Redis is full", message, changed + "What is there is delivered. Make room in Redis.");
        }
        if (ex instanceof TaskStoreCorruptException) {
            return new Trouble(
                    500,
                    "Redis has something that cannot be read",
                    message,
                    changed
                            + "This does not mend by itself: something else has written that key, or a newer version has.");
        }
        if (ex instanceof TaskStoreBusyException) {
            return new Trouble(503, "Too many calls are under way", message, changed + "Try again in a moment.");
        }
        return new Trouble(
                503,
                "Redis did not answer",
                message,
                changed
                        + "The tasks are safe in Redis and are delivered when it is back. If this lasts, look at the health"
                        + " of the application and at its log.");
    }

    /** @param refusal why a form is not taken */
    static Trouble ofForm(String refusal) {
        return new Trouble(403, "The form was not taken", refusal, "");
    }

    static Trouble of(ConsoleGate.Decision decision) {
        return switch (decision) {
            case WITHOUT_ROLE ->
                new Trouble(
                        403,
                        "You may not see the console",
                        "It takes one of the roles in delayqueue.console.roles.",
                        "Ask whoever looks after the application for one of them, or sign in as somebody else.");
            case FOREIGN_HOST ->
                new Trouble(
                        403,
                        "The console is not open under this name",
                        "Another site may have let its own name lead here.",
                        "Ask for localhost or for an IP address, or add the name to delayqueue.console.hosts.");
            default ->
                new Trouble(
                        403,
                        "The console is closed",
                        "Nothing in the application says who may see it.",
                        "Give the console's path a rule of its own in the application's security, which the rest of the"
                                + " application does not have, or name roles in delayqueue.console.roles.");
        };
    }
}
