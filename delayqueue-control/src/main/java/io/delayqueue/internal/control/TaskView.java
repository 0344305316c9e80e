// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.ListedTask;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskState;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.input.UnicodeText;
import io.delayqueue.internal.store.StoredTaskView;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A task in a list.
 *
 * @param dueAt its due time as scheduled or last rescheduled
 * @param nextAttentionAt time when it is due or retried; for a leased task, the end of the lease; for a dead task, the
 *     time of death
 * @param failures number of failed attempts
 * @param leaseExpiries number of attempts whose lease expired, for example because the process died
 * @param lastReason reason for the last failure; null for none
 * @param key key of the task; null for none
 * @param group group of the task; null for none
 * @param holder process that holds its lease, as {@code <pid>@<host>}; null if there is none or it is unknown
 */
public record TaskView(
        String queue,
        String id,
        TaskState state,
        Instant dueAt,
        Instant nextAttentionAt,
        int failures,
        int leaseExpiries,
        @Nullable String lastReason,
        @Nullable String key,
        @Nullable String group,
        @Nullable String holder) {

    /** Maximum length of a shown id. Ids that can be scheduled are not longer. */
    private static final int LONGEST_SHOWN = 4096;

    static TaskView of(ListedTask task) {
        return new TaskView(
                task.queue(),
                task.id(),
                task.state(),
                task.dueAt(),
                task.nextAttentionAt(),
                task.failures(),
                task.leaseExpiries(),
                task.lastReason().orElse(null),
                TaskIds.keyOf(task.id()).orElse(null),
                TaskIds.groupOf(task.id()).orElse(null),
                task instanceof StoredTaskView stored ? stored.task().holder() : null);
    }

    /** Returns the task with a displayable id. Ids stored by other programs may contain any bytes. */
    TaskView shown() {
        return UnicodeText.isValid(id) && id.length() <= LONGEST_SHOWN
                ? this
                : new TaskView(
                        queue,
                        PrintableText.of(id, LONGEST_SHOWN),
                        state,
                        dueAt,
                        nextAttentionAt,
                        failures,
                        leaseExpiries,
                        lastReason,
                        null,
                        null,
                        holder);
    }
}
