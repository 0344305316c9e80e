// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state of a stored task at one moment.
 *
 * @param queue its queue
 * @param id its id
 * @param state its state
 * @param dueAt its due time as scheduled or last rescheduled
 * @param nextAttentionAt when it is due or retried; for a leased task when its lease ends; for a dead task when it died
 * @param failures number of failed attempts
 * @param leaseExpiries number of attempts whose lease expired, for example because the process died
 * @param lastReason why the last unsuccessful attempt failed
 * @param headers its headers
 * @param payload its payload, decoded to the requested type
 * @param holder the process that holds its lease, as {@code <pid>@<host>}; empty if none does or if it is unknown
 * @param failedAttempts up to five attempts that last failed or lost their lease, newest last. Unlike the counts, a
 *     redrive keeps them.
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

    /** Creates a task that is not leased and never failed. */
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

    /** Shows the task and its state, never its payload or headers. */
    @Override
    public String toString() {
        return "FoundTask[queue=" + queue + ", id=" + id + ", state=" + state + ", dueAt=" + dueAt
                + ", nextAttentionAt=" + nextAttentionAt + ", failures=" + failures + ", leaseExpiries="
                + leaseExpiries + "]";
    }
}
