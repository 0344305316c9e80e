// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.TaskState;
import java.time.Instant;
import java.util.Optional;

/**
 * A task that waits or is under delivery, as it stood at one moment. Headers and payload are read with {@link
 * DelayQueueOperations#find(String, String)}.
 *
 * @param queue its queue
 * @param id its id
 * @param state whether it waits or is leased
 * @param dueAt its due time as scheduled or last rescheduled
 * @param nextAttentionAt when it is tried next; for a leased task when its lease ends
 * @param failures attempts that ended in a failure
 * @param leaseExpiries attempts whose lease ran out, as when the process died
 * @param lastReason why the last unsuccessful attempt failed
 */
public record LiveTask(
        String queue,
        String id,
        TaskState state,
        Instant dueAt,
        Instant nextAttentionAt,
        int failures,
        int leaseExpiries,
        Optional<String> lastReason) {}
