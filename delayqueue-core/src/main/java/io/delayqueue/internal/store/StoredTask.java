// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.FailedAttempt;
import io.delayqueue.TaskContent;
import io.delayqueue.TaskState;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task as stored.
 *
 * @param dueAt its due time, as set by the last schedule or reschedule
 * @param nextAttentionAt time of its next attempt, its lease deadline, or its time of death
 * @param heldBackSince when its next attempt would have started without limits of its key; null if it is not held back,
 *     or in a list
 * @param failures number of failed attempts
 * @param leaseExpiries number of attempts whose lease expired
 * @param lastReason reason for the last failure
 * @param taskKey the request id of the schedule call that stored it; changes only if the task is rescheduled during a
 *     delivery. Empty if the stored bytes are unreadable or were not requested
 * @param content its contents; null if the stored bytes cannot be read
 * @param holder the process that holds its lease; null if there is no lease or if the process is unknown
 * @param failedAttempts the last attempts that failed or lost their lease, at most {@link #MOST_ATTEMPTS}, newest last;
 *     empty if not requested
 * @param stackTrace stack trace of the last failure; null if none is kept or if it was not requested
 */
public record StoredTask(
        String id,
        TaskState state,
        Instant dueAt,
        Instant nextAttentionAt,
        @Nullable Instant heldBackSince,
        int failures,
        int leaseExpiries,
        @Nullable String lastReason,
        String taskKey,
        @Nullable TaskContent content,
        @Nullable String holder,
        List<FailedAttempt> failedAttempts,
        @Nullable String stackTrace) {

    /** Number of failed attempts whose times and reasons are kept. */
    public static final int MOST_ATTEMPTS = 5;

    public static final int LONGEST_REASON = 100;

    /** Shows the task and its state, never its stack trace, which may contain data of the payload. */
    @Override
    public String toString() {
        return "StoredTask[id=" + id + ", state=" + state + ", lastReason=" + lastReason + "]";
    }
}
