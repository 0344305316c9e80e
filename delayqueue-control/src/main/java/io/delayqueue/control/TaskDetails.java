// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.EncodedPayload;
import io.delayqueue.FailedAttempt;
import io.delayqueue.FoundTask;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A task with what it carries.
 *
 * @param queue its queue
 * @param id its id
 * @param state where it stands
 * @param dueAt its due time as scheduled or last rescheduled
 * @param nextAttentionAt when it is tried next; for a leased task when its lease ends; for a dead one when it died
 * @param failures attempts that ended in a failure
 * @param leaseExpiries attempts whose lease ran out, as when the process died
 * @param lastReason why the last unsuccessful attempt failed; null for none
 * @param headers its headers
 * @param payload its payload, or why it is not shown
 * @param holder the process that has its lease, as {@code <pid>@<host>}; null where none has, or one that does not say
 * @param key that it was scheduled with; null for none
 * @param group that it was scheduled with; null for none
 * @param failedAttempts its last attempts that failed or lost their lease, five at most, the newest last
 * @param timing what its request said of when it may be delivered; null where it said nothing
 */
public record TaskDetails(
        String queue,
        String id,
        TaskState state,
        Instant dueAt,
        Instant nextAttentionAt,
        int failures,
        int leaseExpiries,
        @Nullable String lastReason,
        Map<String, String> headers,
        Payload payload,
        @Nullable String holder,
        @Nullable String key,
        @Nullable String group,
        List<FailedAttempt> failedAttempts,
        @Nullable TaskTiming timing) {

    /**
     * A payload as the caller may see it.
     *
     * @param contentType its media type
     * @param size in bytes
     * @param text what the {@link PayloadFormatter} made of it; null where it is hidden
     * @param hidden why it is not shown; null where it is
     */
    public record Payload(
            String contentType,
            int size,
            @Nullable String text,
            @Nullable String hidden) {

        /** Sizes only. */
        @Override
        public String toString() {
            return "Payload[" + contentType + ", " + size + " bytes]";
        }
    }

    static TaskDetails of(FoundTask<EncodedPayload> task, Payload payload) {
        return new TaskDetails(
                task.queue(),
                task.id(),
                task.state(),
                task.dueAt(),
                task.nextAttentionAt(),
                task.failures(),
                task.leaseExpiries(),
                task.lastReason().orElse(null),
                task.headers(),
                payload,
                task.holder().orElse(null),
                TaskIds.keyOf(task.id()).orElse(null),
                TaskIds.groupOf(task.id()).orElse(null),
                task.failedAttempts(),
                TaskTiming.of(task.dueAt(), task.headers()));
    }

    /** Names the task and its state, never its payload or headers. */
    @Override
    public String toString() {
        return "TaskDetails[queue=" + queue + ", id=" + id + ", state=" + state + "]";
    }
}
