// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.queue;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.WorkingDays;
import io.delayqueue.internal.input.Bound;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rules for when the tasks of a queue may be delivered. Every process that schedules into the queue or delivers from it
 * should use the same settings.
 *
 * @param expiresAfter how long a task may be overdue at delivery, unless the request overrides it; null for unlimited
 * @param expired treatment of a task that exceeds it
 * @param window default delivery hours of tasks; null for any time
 * @param calendars the calendars, by the names that windows use
 */
public record TimingSettings(
        @Nullable Duration expiresAfter,
        Expired expired,
        @Nullable DeliveryWindow window,
        Map<String, WorkingDays> calendars) {

    /** Delivers every task, however late. */
    public static final TimingSettings NONE = new TimingSettings(null, Expired.DEAD, null, Map.of());

    public TimingSettings {
        if (expiresAfter != null) {
            Bound.EXPIRES_AFTER.check("expires-after", expiresAfter);
        }
        if (window != null && window.calendar() != null && !calendars.containsKey(window.calendar())) {
            throw new IllegalArgumentException("There is no calendar '" + window.calendar() + "', which a window uses");
        }
        calendars = Map.copyOf(calendars);
    }

    /** Treatment of tasks that are too late. */
    public enum Expired {
        /** The task is kept as dead with the reason {@code expired}, unless the queue keeps no dead tasks. */
        DEAD,
        DELETE
    }
}
