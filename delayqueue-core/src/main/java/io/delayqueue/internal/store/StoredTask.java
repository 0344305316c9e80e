// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.FailedAttempt;
import io.delayqueue.TaskState;
import io.delayqueue.delivery.TaskContent;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A task as the store holds it.
 *
 * @param id its id
 * @param state where it stands
 * @param dueAt its due time as scheduled or last rescheduled
 * @param nextAttentionAt next attempt, lease deadline or time of death
 * @param failures failed attempts
 * @param leaseExpiries leases that ran out
 * @param lastReason why the last unsuccessful attempt failed
 * @param taskKey the request id of the schedule that stored it, as text; another one after a reschedule during a
 *     delivery, and never changed otherwise. Empty when the stored bytes cannot be read, or were not asked for
 * @param content what it carries; null when the stored bytes cannot be read
 * @param holder the process that has its lease; null where none has, where it is not known, or where it was not asked for
 * @param failedAttempts its last attempts that failed or lost their lease, {@link #MOST_ATTEMPTS} at most, the newest last;
 *     empty where they were not asked for
 */
public record StoredTask(
        String id,
        TaskState state,
        Instant dueAt,
        Instant nextAttentionAt,
        int failures,
        int leaseExpiries,
        @Nullable String lastReason,
        String taskKey,
        @Nullable TaskContent content,
        @Nullable String holder,
        List<FailedAttempt> failedAttempts) {

    /** Of how many failed attempts times and reasons are kept. */
    public static final int MOST_ATTEMPTS = 5;

    /** How many characters of a reason are kept with them. */
    public static final int LONGEST_REASON = 100;

    /** A task of a page, which does not say who holds it nor why its attempts have failed. */
    public StoredTask(
            String id,
            TaskState state,
            Instant dueAt,
            Instant nextAttentionAt,
            int failures,
            int leaseExpiries,
            @Nullable String lastReason,
            String taskKey,
            @Nullable TaskContent content) {
        this(id, state, dueAt, nextAttentionAt, failures, leaseExpiries, lastReason, taskKey, content, null, List.of());
    }
}
