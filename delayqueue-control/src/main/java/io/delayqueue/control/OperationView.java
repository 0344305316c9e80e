// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The progress of an operation, as recorded before its current page.
 *
 * @param handle identifies the operation
 * @param process the process that runs it or last ran it: process id and host
 * @param queue its queue
 * @param action the change
 * @param filter the conditions of the filter by name, and the rate if the operation has one
 * @param dryRun whether the tasks are only counted
 * @param matched number of tasks found so far
 * @param done number of tasks changed so far
 * @param inFlight number of changed tasks whose delivery had started, possibly only after the operation read them. The
 *     operation does not stop the handler
 * @param left number of tasks found but not changed, because they were gone, due earlier, or written by a newer version
 *     of this library
 * @param by the caller who started it
 * @param startedAt when it was started
 * @param endedAt when it ended; null while it runs
 * @param error why it failed; null if it did not
 * @param erased what an erasure found and deleted besides tasks; null for other actions
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
        @Nullable String error,
        @Nullable Erased erased) {

    /**
     * The result of an erasure, besides its tasks.
     *
     * @param inProgress number of matching tasks in progress, which stay
     * @param historyEntries number of deleted history entries
     * @param outboxRows number of deleted rows of the outbox, including rejected ones
     * @param operations number of deleted records of other operations with this filter
     * @param remains what can still name the tasks, and where
     */
    public record Erased(
            long inProgress, long historyEntries, long outboxRows, long operations, List<String> remains) {}

    /** The status of an operation. */
    public enum Status {
        /** A process works on it. */
        RUNNING,
        /** A caller stopped it, or its process is shutting down. It can be resumed. */
        STOPPED,
        /** It failed with an error, or its process is gone. It can be resumed. */
        FAILED,
        /** It has changed all matching tasks. */
        DONE
    }
}
