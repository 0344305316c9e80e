// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.LocalDueTime;
import io.delayqueue.internal.store.TimingHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the request of a task said of when it may be delivered. Settings of its queue are not in it.
 *
 * @param expiresAfter how long it may be overdue when it is delivered
 * @param expiresAt the last moment at which it may be delivered, as it is due now
 * @param window its hours, such as {@code 09:00-21:00 Europe/Berlin}
 * @param localTime the local time that it was scheduled for, unless it was rescheduled since, such as
 *     {@code 2027-03-28T09:30[Europe/Berlin]}
 */
public record TaskTiming(
        @Nullable Duration expiresAfter,
        @Nullable Instant expiresAt,
        @Nullable String window,
        @Nullable String localTime) {

    /** Null for a task whose request said nothing, or nothing that can be read. */
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
