// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.LocalDueTime;
import io.delayqueue.internal.store.TimingHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Restrictions on the delivery time from a task's request. Does not include the settings of its queue.
 *
 * @param expiresAfter maximum lateness of the delivery
 * @param expiresAt latest delivery time for the current due time
 * @param window its delivery hours, such as {@code 09:00-21:00 Europe/Berlin}
 * @param localTime the local time for which the task was scheduled, such as {@code 2027-03-28T09:30[Europe/Berlin]};
 *     null if it was rescheduled since
 */
public record TaskTiming(
        @Nullable Duration expiresAfter,
        @Nullable Instant expiresAt,
        @Nullable String window,
        @Nullable String localTime) {

    /** Returns the restrictions; null if the request had none or if they cannot be read. */
    static @Nullable TaskTiming of(Instant dueAt, Map<String, String> headers) {
        TimingHeaders said;
        try {
            said = TimingHeaders.of(headers);
        } catch (IllegalArgumentException ex) {
            return null;
        }
        if (said.isEmpty()) {
            return null;
        }
        Duration expiresAfter = said.expiresAfter();
        LocalDueTime local = dueAt.equals(said.localDueAt()) ? said.localTime() : null;
        return new TaskTiming(
                expiresAfter,
                expiresAfter == null ? null : dueAt.plus(expiresAfter),
                said.window() == null ? null : said.window().toString(),
                local == null ? null : local.toString());
    }
}
