// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.delivery.TaskContent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A due task under lease.
 *
 * @param id its id
 * @param taskKey what tells its deliveries from those of all other tasks, as {@link StoredTask#taskKey}
 * @param dueAt its due time as scheduled or last rescheduled
 * @param failures attempts that failed before this one
 * @param leaseExpiries attempts before this one whose lease ran out
 * @param content what it carries; null when the stored bytes cannot be read, and then the task is to be settled as dead
 */
public record AcquiredTask(
        String id,
        String taskKey,
        Instant dueAt,
        int failures,
        int leaseExpiries,
        @Nullable TaskContent content) {

    /** Whether a lease of this task ran out before, as when its handler kills the process. */
    public boolean isSuspect() {
        return leaseExpiries > 0;
    }

    /** Which attempt a delivery of this task is, from 1. */
    public int attempt() {
        return failures + leaseExpiries + 1;
    }
}
