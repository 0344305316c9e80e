// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.Due;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.LocalDueTime;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.WorkingDays;
import io.delayqueue.internal.queue.TimingSettings;
import io.delayqueue.internal.store.TimingHeaders;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Moves due times into the delivery windows of tasks and queues. Computes the due time of a delay from this process's
 * clock, not from the server's. If that makes a task due too early, the delivery is postponed.
 */
record DeliveryHours(InstantSource clock) {

    private static final Instant LAST = Instant.ofEpochMilli(Due.MAX_EPOCH_MILLIS);

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
            Instant opening = opening(window, wanted, request, queue.calendars());
            return opening.equals(wanted) ? due : Due.at(opening);
        } catch (RuntimeException ex) {
            throw new InvalidTaskException(
                    "Queue '" + request.queue() + "', task '" + request.id()
                            + "': could not move the due time into the delivery hours: " + reason(ex),
                    ex);
        }
    }

    private Instant opening(
            DeliveryWindow window, Instant wanted, ScheduleRequest<?> request, Map<String, WorkingDays> calendars) {
        if (window.isOpen(wanted, calendars)) {
            return wanted;
        }
        Instant latest = request.notAfter().orElse(Instant.MAX);
        if (!request.previousOpening()) {
            Instant next = next(window, wanted, calendars);
            if (next.isBefore(latest)) {
                return next;
            }
        }
        Instant now = clock.instant();
        Optional<Instant> previous =
                window.previousOpening(wanted, calendars).filter(opening -> !opening.isBefore(now));
        Instant opening = previous.isPresent() ? previous.get() : next(window, now, calendars);
        if (!opening.isBefore(latest)) {
            throw new IllegalArgumentException("The window '" + window + "' does not open between now and " + latest
                    + ". Deliver the task at any time (DeliveryWindow.ALWAYS), or do not schedule it");
        }
        return opening;
    }

    private static Instant next(DeliveryWindow window, Instant from, Map<String, WorkingDays> calendars) {
        return window.nextOpening(from, calendars)
                .orElseThrow(() -> new IllegalArgumentException("The window '" + window + "' never opens"));
    }

    private static @Nullable String reason(RuntimeException error) {
        return error instanceof IllegalArgumentException
                ? error.getMessage()
                : "a calendar threw " + error.getClass().getName();
    }

    /** Returns the timing headers of a requested task with this due time. */
    TimingHeaders timing(ScheduleRequest<?> request, Due due, TimingSettings queue) {
        // A task in an earlier opening must not wait for its local time.
        LocalDueTime local = due.millis() < request.due().millis()
                ? null
                : request.localTime().orElse(null);
        return new TimingHeaders(
                expiresAfter(request, due, queue),
                request.window().orElse(null),
                local,
                (local == null) ? null : Instant.ofEpochMilli(due.millis()));
    }

    /**
     * Returns how long the task may be overdue at delivery, the shortest of its limits; null if it sets none itself.
     */
    private @Nullable Duration expiresAfter(ScheduleRequest<?> request, Due due, TimingSettings queue) {
        Duration own = request.expiresAfter().orElse(null);
        Instant latest = request.notAfter().orElse(null);
        if (latest == null || latest.isAfter(LAST)) {
            return own;
        }
        Instant dueAt = due.relative() ? clock.instant().plusMillis(due.millis()) : Instant.ofEpochMilli(due.millis());
        Duration left = Duration.between(dueAt, latest);
        if (left.compareTo(Duration.ofMillis(1)) < 0) {
            throw new InvalidTaskException("Queue '" + request.queue() + "', task '" + request.id()
                    + "': it would be due at " + dueAt + ", but must be due before its latest time " + latest
                    + ". Correct notAfter(...) or the due time");
        }
        Duration others = (own != null) ? own : queue.expiresAfter();
        return others != null && others.compareTo(left) < 0 ? others : left;
    }
}
