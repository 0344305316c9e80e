// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.Due;
import io.delayqueue.InvalidWindowException;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.internal.store.TimingHeaders;
import io.delayqueue.queue.TimingSettings;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Moves due times into the delivery windows of tasks and queues. For a delay it takes the clock of this process for that of
 * the server. If that is wrong, the task is put off when it would be delivered.
 */
record DeliveryHours(InstantSource clock) {

    /** Returns when a requested task is due. */
    Due due(ScheduleRequest<?> request, TimingSettings queue) {
        Due due = request.due();
        DeliveryWindow window = request.window().orElse(queue.window());
        if (window == null || window.isAlways()) {
            return due;
        }
        Instant wanted = due.relative()
                ? clock.instant().plusMillis(due.millis())
                : Instant.ofEpochMilli(Math.max(due.millis(), clock.millis()));
        try {
            Instant opening = window.nextOpening(wanted, queue.calendars())
                    .orElseThrow(() -> new IllegalArgumentException("The window '" + window + "' never opens"));
            return opening.equals(wanted) ? due : Due.at(opening);
        } catch (RuntimeException ex) {
            throw new InvalidWindowException(
                    "Queue '" + request.queue() + "', task '" + request.id()
                            + "': its due time cannot be moved into its hours: " + reason(ex),
                    ex);
        }
    }

    private static @Nullable String reason(RuntimeException error) {
        return error instanceof IllegalArgumentException
                ? error.getMessage()
                : "a calendar threw " + error.getClass().getName();
    }

    /** Returns the headers about the time of a requested task that is due then. */
    static TimingHeaders timing(ScheduleRequest<?> request, Due due) {
        return new TimingHeaders(
                request.expiresAfter().orElse(null),
                request.window().orElse(null),
                request.localTime().orElse(null),
                request.localTime().isPresent() ? Instant.ofEpochMilli(due.millis()) : null);
    }
}
