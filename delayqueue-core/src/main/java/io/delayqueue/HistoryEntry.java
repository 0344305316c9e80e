// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of a task at one moment, as the history of its queue says.
 *
 * @param at when, by the clock of Redis
 * @param event {@code delivered}; {@code again} for delivered and due again as a new round; {@code retried} for an attempt that
 *     failed or lost its lease; {@code dead}, {@code redriven}, {@code discarded}, {@code rescheduled} or {@code cancelled};
 *     {@code unreadable} for an entry that something else wrote. Later versions may add others
 * @param reason why, or to which moment it was rescheduled; null for none
 * @param process the process that did so, or that lost its lease; null where it is not known
 */
public record HistoryEntry(
        Instant at,
        String event,
        @Nullable String reason,
        @Nullable String process) {}
