// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A stored task as it stood at one moment.
 *
 * @param queue its queue
 * @param id its id
 * @param state where it stands
 * @param dueAt its due time as scheduled or last rescheduled
 * @param nextAttentionAt when it is tried next; for a leased task when its lease ends; for a dead one when it died
 * @param failures attempts that ended in a failure
 * @param leaseExpiries attempts whose lease ran out, as when the process died
 * @param lastReason why the last unsuccessful attempt failed
 * @param headers its headers
 * @param payload its payload, decoded to the type asked for
 * @param holder the process that has its lease, as {@code <pid>@<host>}; empty where none has, or one that does not say
 * @param failedAttempts its last attempts that failed or lost their lease, five at most, the newest last. A redrive does not
 *     forget them, as it does the counts
 */
public record FoundTask<T>(
        String queue,
        String id,
        TaskState state,
        Instant dueAt,
        Instant nextAttentionAt,
        int failures,
        int leaseExpiries,
        Optional<String> lastReason,
        Map<String, String> headers,
        T payload,
        Optional<String> holder,
        List<FailedAttempt> failedAttempts) {

    /** A task that nobody holds and that never failed. */
    public FoundTask(
            String queue,
            String id,
            TaskState state,
            Instant dueAt,
            Instant nextAttentionAt,
            int failures,
            int leaseExpiries,
            Optional<String> lastReason,
            Map<String, String> headers,
            T payload) {
        this(
                queue,
                id,
                state,
                dueAt,
                nextAttentionAt,
                failures,
                leaseExpiries,
                lastReason,
                headers,
                payload,
                Optional.empty(),
                List.of());
    }

    /** Names the task and its state, never its payload or headers. */
    @Override
    public String toString() {
        return "FoundTask[queue=" + queue + ", id=" + id + ", state=" + state + ", dueAt=" + dueAt
                + ", nextAttentionAt=" + nextAttentionAt + ", failures=" + failures + ", leaseExpiries="
                + leaseExpiries + "]";
    }
}
