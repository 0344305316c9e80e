// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.TaskState;
import io.delayqueue.delivery.TaskContent;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of a task at one moment. To read its headers and its decoded payload, use
 * {@link DelayQueueOperations#find(String, String)}.
 *
 * @param queue its queue
 * @param id its id
 * @param state its state
 * @param dueAt its due time as scheduled or last rescheduled
 * @param nextAttentionAt when it is due or retried; for a leased task when its lease ends; for a dead task when it died
 * @param failures number of failed attempts
 * @param leaseExpiries number of attempts whose lease expired, for example because the process died
 * @param lastReason why the last unsuccessful attempt failed
 * @param content its contents; empty unless requested, or if the stored bytes cannot be read
 */
public record ListedTask(
        String queue,
        String id,
        TaskState state,
        Instant dueAt,
        Instant nextAttentionAt,
        int failures,
        int leaseExpiries,
        Optional<String> lastReason,
        Optional<TaskContent> content) {

    /** Shows the task and its state, never its payload or headers. */
    @Override
    public String toString() {
        return "ListedTask[queue=" + queue + ", id=" + id + ", state=" + state + ", dueAt=" + dueAt
                + ", nextAttentionAt=" + nextAttentionAt + ", failures=" + failures + ", leaseExpiries="
                + leaseExpiries + ", lastReason=" + lastReason.orElse("") + "]";
    }
}
