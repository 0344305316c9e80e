// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event in the history of a task.
 *
 * @param at time of the event, by the clock of Redis
 * @param event {@code delivered}; {@code again} for a task that was delivered and is due for another round;
 *     {@code retried} for an attempt that failed or lost its lease; {@code dead}, {@code redriven}, {@code discarded},
 *     {@code rescheduled} or {@code cancelled}; {@code unreadable} for an entry of another program. Later versions may
 *     add events.
 * @param reason reason for the event, or the new due time of a reschedule; null for none
 * @param process the process that did this or lost the lease; null if unknown
 */
public record HistoryEntry(
        Instant at,
        String event,
        @Nullable String reason,
        @Nullable String process) {}
