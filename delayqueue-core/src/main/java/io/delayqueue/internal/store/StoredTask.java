// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.TaskState;
import io.delayqueue.delivery.TaskContent;
import java.time.Instant;
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
        @Nullable TaskContent content) {}
