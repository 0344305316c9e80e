// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The progress of an operation, as recorded before its current page.
 *
 * @param handle identifies the operation
 * @param process the process that runs it or last ran it: process id and host
 * @param queue the queue
 * @param action the change
 * @param filter the parts of the filter, and the rate if there is one
 * @param dryRun whether the tasks are only counted
 * @param status the status
 * @param matched number of tasks found so far
 * @param done number of tasks changed so far
 * @param inFlight how many of the changed tasks had a delivery that had started, possibly after the operation read
 *     them. Its handler is not stopped
 * @param left number of tasks found but not changed, because they were gone, due earlier, or written by a newer version
 *     of this library
 * @param by the caller who started it
 * @param startedAt when it was started
 * @param endedAt when it ended; null while it runs
 * @param error why it failed; null if it did not
 */
public record OperationView(
        String handle,
        String process,
        String queue,
        BulkAction action,
        Map<String, String> filter,
        boolean dryRun,
        Status status,
        long matched,
        long done,
        long inFlight,
        long left,
        String by,
        Instant startedAt,
        @Nullable Instant endedAt,
        @Nullable String error) {

    /** The status of an operation. */
    public enum Status {
        RUNNING,
        /** A caller stopped it, or its process is shutting down. It can be resumed. */
        STOPPED,
        /** It failed with an error, or its process is gone. It can be resumed. */
        FAILED,
        DONE
    }
}
