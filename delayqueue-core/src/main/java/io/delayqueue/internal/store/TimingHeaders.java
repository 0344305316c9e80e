// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.LocalDueTime;
import io.delayqueue.annotation.TaskHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The timing of a task's request, in headers that are stored with the task. A local time is stored with the due time
 * computed from it, for example {@code 2027-03-28T09:30[Europe/Berlin]=1806219000000}. The local time applies only
 * while the task has that due time.
 *
 * @param expiresAfter how long the task may be overdue at delivery; null if not set
 * @param window delivery hours; null if not set
 * @param localTime local due time of the request; null if not used
 * @param localDueAt due time computed from the local time; null if not used
 */
public record TimingHeaders(
        @Nullable Duration expiresAfter,
        @Nullable DeliveryWindow window,
        @Nullable LocalDueTime localTime,
        @Nullable Instant localDueAt) {

    private static final int MOST_DIGITS = 15;

    public boolean isEmpty() {
        return expiresAfter == null && window == null && localTime == null;
    }

    public Map<String, String> addTo(Map<String, String> headers) {
        if (isEmpty()) {
            return headers;
        }
        Map<String, String> all = new LinkedHashMap<>(headers);
        if (expiresAfter != null) {
            all.put(TaskHeaders.EXPIRES_AFTER, Long.toString(expiresAfter.toMillis()));
        }
        if (window != null) {
            all.put(TaskHeaders.WINDOW, window.toString());
        }
        if (localTime != null && localDueAt != null) {
            all.put(TaskHeaders.LOCAL_TIME, localTime + "=" + localDueAt.toEpochMilli());
        }
        return all;
    }

    /**
     * Parses headers.
     *
     * @throws IllegalArgumentException if they are invalid or this JVM does not know a zone; the message contains no
     *     payload
     */
    public static TimingHeaders of(Map<String, String> headers) {
        String window = headers.get(TaskHeaders.WINDOW);
        String local = headers.get(TaskHeaders.LOCAL_TIME);
        int dueAt = (local == null) ? 0 : local.lastIndexOf('=');
        Long localDue = (local == null) ? null : millis(local.substring(dueAt + 1));
        if (local != null && (dueAt < 0 || localDue == null)) {
            throw new IllegalArgumentException("not a local time and its due time");
        }
        return new TimingHeaders(
                expiresAfter(headers),
                (window == null) ? null : DeliveryWindow.parse(window),
                (local == null) ? null : LocalDueTime.parse(local.substring(0, dueAt)),
                (localDue == null) ? null : Instant.ofEpochMilli(localDue));
    }

    /** Returns how long a task with these headers may be overdue; null if they set no limit or are invalid. */
    static @Nullable Duration expiresAfter(Map<String, String> headers) {
        String text = headers.isEmpty() ? null : headers.get(TaskHeaders.EXPIRES_AFTER);
        Long millis = (text == null) ? null : millis(text);
        return (millis == null) ? null : Duration.ofMillis(millis);
    }

    /** Returns whether the headers set delivery hours or a local due time. */
    public static boolean sayWhen(Map<String, String> headers) {
        return !headers.isEmpty()
                && (headers.containsKey(TaskHeaders.WINDOW) || headers.containsKey(TaskHeaders.LOCAL_TIME));
    }

    /** Parses milliseconds; accepts only the form that this library writes. */
    private static @Nullable Long millis(String text) {
        boolean readable =
                !text.isEmpty() && text.length() <= MOST_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return readable ? Long.valueOf(text) : null;
    }
}
