// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event in the history of a task.
 *
 * @param at time of the event, by the clock of Redis
 * @param event {@code delivered}, {@code again} (delivered, and due for another round), {@code retried} (an attempt
 *     failed or lost its lease), {@code dead}, {@code redriven}, {@code discarded}, {@code rescheduled}, {@code
 *     cancelled}, or {@code unreadable} (an entry of another program). Later versions may add events.
 * @param reason reason for the event, or the new due time of a reschedule; null for none
 * @param process the process that caused the event or lost the lease; null if unknown
 */
public record HistoryEntry(
        Instant at,
        String event,
        @Nullable String reason,
        @Nullable String process) {}
