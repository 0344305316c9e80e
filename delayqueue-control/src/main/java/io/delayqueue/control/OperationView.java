// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far an operation is. It runs in the process that was asked for it; the others know of it within a page, which takes a second
 * at most.
 *
 * @param handle by which it is followed, stopped and resumed
 * @param process in which it runs, or ran last: process id and host
 * @param queue the queue
 * @param action what is done
 * @param filter with which tasks, and how fast
 * @param dryRun whether they are only counted
 * @param status where it stands
 * @param matched tasks that were found so far
 * @param done tasks that were changed
 * @param left tasks that were found and had gone, or were under delivery, or could not be changed
 * @param by who began it
 * @param startedAt when it was begun
 * @param endedAt when it ended; null while it runs
 * @param error why it failed; null where it did not
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
        long left,
        String by,
        Instant startedAt,
        @Nullable Instant endedAt,
        @Nullable String error) {

    /** Where an operation stands. */
    public enum Status {
        RUNNING,
        /** Somebody stopped it, or the process is ending. It goes on where it was when it is resumed. */
        STOPPED,
        /** It met an error, or its process has gone. It goes on where it was when it is resumed. */
        FAILED,
        DONE
    }
}
