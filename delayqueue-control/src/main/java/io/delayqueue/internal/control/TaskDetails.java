// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.EncodedPayload;
import io.delayqueue.FailedAttempt;
import io.delayqueue.FoundTask;
import io.delayqueue.ListedTask;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskState;
import io.delayqueue.control.PayloadFormatter;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.StoredTaskView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A task with its contents.
 *
 * @param dueAt its due time as scheduled or last rescheduled
 * @param nextAttentionAt time when it is due or retried; for a leased task, the end of the lease; for a dead task, the
 *     time of death
 * @param heldBackSince when it would have been due or retried without limits of its key; null if it is not held back
 * @param failures number of failed attempts
 * @param leaseExpiries number of attempts whose lease expired, for example because the process died
 * @param lastReason reason for the last failure; null for none
 * @param payload its payload, or why it is hidden
 * @param holder process that holds its lease, as {@code <pid>@<host>}; null if there is none or it is unknown
 * @param key key of the task; null for none
 * @param group group of the task; null for none
 * @param failedAttempts up to five attempts that last failed or lost their lease, newest last
 * @param stackTrace stack trace of the last failure; null if none is kept or the caller may not see payloads
 * @param timing the delivery restrictions of its request; null for none
 */
public record TaskDetails(
        String queue,
        String id,
        TaskState state,
        Instant dueAt,
        Instant nextAttentionAt,
        @Nullable Instant heldBackSince,
        int failures,
        int leaseExpiries,
        @Nullable String lastReason,
        Map<String, String> headers,
        Payload payload,
        @Nullable String holder,
        @Nullable String key,
        @Nullable String group,
        List<FailedAttempt> failedAttempts,
        @Nullable String stackTrace,
        @Nullable TaskTiming timing) {

    /**
     * A payload as the caller may see it.
     *
     * @param contentType its media type; empty if the stored task cannot be read
     * @param size size in bytes; 0 if the stored task cannot be read
     * @param text the output of the {@link PayloadFormatter}; null if hidden
     * @param hidden reason why it is hidden; null if shown
     */
    public record Payload(
            String contentType,
            int size,
            @Nullable String text,
            @Nullable String hidden) {

        /** Shows only sizes. */
        @Override
        public String toString() {
            return "Payload[" + contentType + ", " + size + " bytes]";
        }
    }

    /** @param withPayload whether the caller may see payloads, and so the stack trace */
    static TaskDetails of(FoundTask<EncodedPayload> task, Payload payload, boolean withPayload) {
        return of(
                task,
                task.headers(),
                payload,
                task.holder().orElse(null),
                task.failedAttempts(),
                withPayload ? task.stackTrace().orElse(null) : null);
    }

    /** Returns a task whose headers and payload cannot be read. */
    static TaskDetails ofUnreadable(String queue, StoredTask task) {
        Payload none = new Payload(
                "", 0, null, "cannot be read: another program or a newer version of this library stored the task");
        return of(new StoredTaskView.Listed(queue, task), Map.of(), none, task.holder(), task.failedAttempts(), null);
    }

    private static TaskDetails of(
            ListedTask task,
            Map<String, String> headers,
            Payload payload,
            @Nullable String holder,
            List<FailedAttempt> failedAttempts,
            @Nullable String stackTrace) {
        return new TaskDetails(
                task.queue(),
                task.id(),
                task.state(),
                task.dueAt(),
                task.nextAttentionAt(),
                ((StoredTaskView) task).task().heldBackSince(),
                task.failures(),
                task.leaseExpiries(),
                task.lastReason().orElse(null),
                headers,
                payload,
                holder,
                TaskIds.keyOf(task.id()).orElse(null),
                TaskIds.groupOf(task.id()).orElse(null),
                failedAttempts,
                stackTrace,
                TaskTiming.of(task.dueAt(), headers));
    }

    /** Returns when it would be due or retried without limits of its key. */
    Instant ownTime() {
        return heldBackSince == null ? nextAttentionAt : heldBackSince;
    }

    /** Shows the task and its state, never its payload or headers. */
    @Override
    public String toString() {
        return "TaskDetails[queue=" + queue + ", id=" + id + ", state=" + state + "]";
    }
}
