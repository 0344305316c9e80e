// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The header that limits how long calls may postpone a task's due time. A request carries milliseconds after a plus
 * sign; the store replaces them by the last possible moment in epoch milliseconds. Both have 15 characters, and it is a
 * task's first header, so that the store can do this without reading the others.
 */
public final class LongestWait {

    /** Name of the header. */
    public static final String HEADER = "dq-debounce";

    /** The maximum value of 14 digits, about 3,168 years. */
    private static final long MOST_MILLIS = 99_999_999_999_999L;

    private LongestWait() {}

    /** Returns the headers, preceded by a header for this wait, limited to the maximum. */
    public static Map<String, String> addTo(Map<String, String> headers, Duration longestWait) {
        return first("+" + "%014d".formatted(Math.min(longestWait.toMillis(), MOST_MILLIS)), headers);
    }

    /** Returns the maximum wait in the headers of a new task, in milliseconds; null if there is none. */
    public static @Nullable Long millis(Map<String, String> headers) {
        return read(headers, true);
    }

    /** Returns the last moment of a stored task in epoch milliseconds; null if it has none. */
    public static @Nullable Long lastMoment(Map<String, String> headers) {
        return read(headers, false);
    }

    /** Returns the headers with this moment. */
    public static Map<String, String> until(Map<String, String> headers, long epochMillis) {
        return first("%015d".formatted(epochMillis), headers);
    }

    private static Map<String, String> first(String value, Map<String, String> headers) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put(HEADER, value);
        headers.forEach(all::putIfAbsent);
        return all;
    }

    private static @Nullable Long read(Map<String, String> headers, boolean relative) {
        String value = headers.get(HEADER);
        return value != null && value.matches("[+\\d]\\d{14}") && value.startsWith("+") == relative
                ? Long.valueOf(value)
                : null;
    }
}
