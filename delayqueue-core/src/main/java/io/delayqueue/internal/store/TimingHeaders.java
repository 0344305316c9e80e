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
 * What a task says of its time, in headers that go wherever it goes. A local time stands beside the due time that was made of
 * it, {@code 2027-03-28T09:30[Europe/Berlin]=1806219000000}, as it counts only while the task is due then.
 *
 * @param expiresAfter how long it may be overdue when it is delivered; null where it does not say
 * @param window in which it may be delivered; null where it does not say
 * @param localTime its due time where it was scheduled for; null where it was given otherwise
 * @param localDueAt what was made of that when it was scheduled; null without it
 */
public record TimingHeaders(
        @Nullable Duration expiresAfter,
        @Nullable DeliveryWindow window,
        @Nullable LocalDueTime localTime,
        @Nullable Instant localDueAt) {

    private static final int MOST_DIGITS = 15;

    /** Whether it says nothing. */
    public boolean isEmpty() {
        return expiresAfter == null && window == null && localTime == null;
    }

    /** These headers and what it says. */
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
     * Reads headers.
     *
     * @throws IllegalArgumentException if something else wrote them, or this JVM does not know a zone; the message may be shown
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

    /** How long a task with these headers may be overdue; null where they do not say, or something else wrote it. */
    static @Nullable Duration expiresAfter(Map<String, String> headers) {
        String text = headers.isEmpty() ? null : headers.get(TaskHeaders.EXPIRES_AFTER);
        Long millis = (text == null) ? null : millis(text);
        return (millis == null) ? null : Duration.ofMillis(millis);
    }

    /** Whether headers say when a task may be delivered, beside how late. */
    public static boolean sayWhen(Map<String, String> headers) {
        return !headers.isEmpty()
                && (headers.containsKey(TaskHeaders.WINDOW) || headers.containsKey(TaskHeaders.LOCAL_TIME));
    }

    /** Of a number as this library writes it. */
    private static @Nullable Long millis(String text) {
        boolean readable =
                !text.isEmpty() && text.length() <= MOST_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return readable ? Long.valueOf(text) : null;
    }
}
