// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.TaskContent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A due task that was acquired.
 *
 * @param taskKey key that identifies the task in all its deliveries, as {@link StoredTask#taskKey}
 * @param dueAt its due time, as set by the last schedule or reschedule
 * @param failures number of earlier attempts that failed
 * @param leaseExpiries number of earlier attempts whose lease expired
 * @param content its contents; null if the stored bytes cannot be read, so that the task must be settled as dead
 */
public record AcquiredTask(
        String id,
        String taskKey,
        Instant dueAt,
        int failures,
        int leaseExpiries,
        @Nullable TaskContent content) {

    /** Returns whether a lease of this task has expired before, for example because its handler kills the process. */
    public boolean isSuspect() {
        return leaseExpiries > 0;
    }

    /** Returns the number of this attempt, starting from 1. */
    public int attempt() {
        return failures + leaseExpiries + 1;
    }
}
