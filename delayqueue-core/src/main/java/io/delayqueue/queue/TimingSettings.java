// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.queue;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.WorkingDays;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When tasks of a queue may be delivered. Every process that schedules into the queue or delivers from it should have the same.
 *
 * @param expiresAfter how long a task may be overdue when it is delivered, where its request does not say so; null for
 *     any time
 * @param expired what becomes of a task that is overdue by more
 * @param window in which tasks are delivered whose requests name none; null for any time
 * @param calendars by the names that windows have for them
 */
public record TimingSettings(
        @Nullable Duration expiresAfter,
        Expired expired,
        @Nullable DeliveryWindow window,
        Map<String, WorkingDays> calendars) {

    /** Every task is delivered, however late. */
    public static final TimingSettings NONE = new TimingSettings(null, Expired.DEAD, null, Map.of());

    public TimingSettings {
        if (expiresAfter != null) {
            Bound.EXPIRES_AFTER.check("expires-after", expiresAfter);
        }
        if (window != null && window.calendar() != null && !calendars.containsKey(window.calendar())) {
            throw new IllegalArgumentException("There is no calendar '" + window.calendar() + "' for a window");
        }
        calendars = Map.copyOf(calendars);
    }

    /** The same, without windows. */
    public TimingSettings(@Nullable Duration expiresAfter, Expired expired) {
        this(expiresAfter, expired, null, Map.of());
    }

    /** The same, with these hours for tasks that do not name theirs. */
    public TimingSettings within(DeliveryWindow hours) {
        return new TimingSettings(expiresAfter, expired, hours, calendars);
    }

    /** The same, with these calendars. */
    public TimingSettings with(Map<String, WorkingDays> known) {
        return new TimingSettings(expiresAfter, expired, window, known);
    }

    /** What becomes of a task that is too late. */
    public enum Expired {
        /** It is kept as a dead task with the reason {@code expired}, unless the queue keeps none. */
        DEAD,
        /** It is deleted. */
        DELETE
    }
}
