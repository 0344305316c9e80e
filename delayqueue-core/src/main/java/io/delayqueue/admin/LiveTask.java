// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.TaskState;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of a waiting or leased task at one moment. Use {@link DelayQueueOperations#find(String, String)} to read
 * its headers and payload.
 *
 * @param queue its queue
 * @param id its id
 * @param state waiting or leased
 * @param dueAt its due time as scheduled or last rescheduled
 * @param nextAttentionAt when it is due or retried; for a leased task when its lease ends
 * @param failures number of failed attempts
 * @param leaseExpiries number of attempts whose lease expired, for example because the process died
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
