// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.LocalDueTime;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.control.TaskTiming;
import java.time.DayOfWeek;
import java.time.format.TextStyle;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes the timing options of a task; {@code null} for an option that its request did not set. */
final class TimingWords {

    private TimingWords() {}

    static @Nullable String expiry(TaskTiming timing) {
        return timing.expiresAfter() == null ? null : "if more than " + Moments.length(timing.expiresAfter()) + " late";
    }

    static @Nullable String window(TaskTiming timing) {
        if (timing.window() == null) {
            return null;
        }
        DeliveryWindow window = DeliveryWindow.parse(timing.window());
        if (window.isAlways()) {
            return "at any time, regardless of the queue's hours";
        }
        return hours(window) + ", " + window.zone() + days(window);
    }

    private static String hours(DeliveryWindow window) {
        if (window.from().equals(window.to())) {
            return "in the 24 hours from " + window.from();
        }
        boolean pastMidnight = !window.from().isBefore(window.to());
        return "between " + window.from() + " and " + window.to() + (pastMidnight ? " of the next day" : "");
    }

    private static String days(DeliveryWindow window) {
        if (window.calendar() != null) {
            return ", on the working days of the calendar '" + window.calendar() + "'";
        }
        if (window.days().size() == DayOfWeek.values().length) {
            return "";
        }
        List<String> names = new TreeSet<>(window.days())
                .stream()
                        .map(day -> day.getDisplayName(TextStyle.FULL, Locale.ENGLISH))
                        .collect(Collectors.toList());
        String last = names.remove(names.size() - 1);
        return ", on " + (names.isEmpty() ? last : String.join(", ", names) + " and " + last);
    }

    static @Nullable String localTime(TaskTiming timing) {
        if (timing.localTime() == null) {
            return null;
        }
        LocalDueTime local = LocalDueTime.parse(timing.localTime());
        return local.time().toLocalDate() + " " + local.time().toLocalTime() + ", " + local.zone();
    }
}
