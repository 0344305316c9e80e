// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The progress of an operation. Recorded before each page, so the counts do not include the current page.
 *
 * @param handle handle of the operation
 * @param process process that runs it or last ran it, as process id and host
 * @param queue name of the queue
 * @param action the change
 * @param filter conditions of the filter by name, and the rate if the action has one
 * @param dryRun whether tasks are counted instead of changed
 * @param matched number of tasks found so far
 * @param done number of tasks changed so far
 * @param inFlight number of changed tasks whose delivery had started, possibly only after the operation read them, also
 *     if they have died since. The operation does not stop their handlers
 * @param left number of tasks found but not changed: they no longer existed, were due earlier, or were written by a
 *     newer version of this library
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
     * @param remains descriptions of places in which the tasks may still be named
     */
    public record Erased(long inProgress, long historyEntries, long outboxRows, List<String> remains) {}

    /** The status of an operation. */
    public enum Status {
        /** A process is running it. */
        RUNNING,
        /** A caller stopped it, or its process is shutting down. It can be resumed. */
        STOPPED,
        /** It failed with an error, or its process is gone. It can be resumed. */
        FAILED,
        /** It has changed all matching tasks. */
        DONE
    }
}
