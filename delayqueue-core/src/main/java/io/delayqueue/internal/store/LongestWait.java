// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The header that bounds how long calls put off a task's due time. It travels as a number of milliseconds after a plus sign, and
 * the store writes the last possible moment in its place, epoch milliseconds. Both have 15 characters, and it is a task's first
 * header, so that the store can do this without reading the others.
 */
public final class LongestWait {

    /** Its name. */
    public static final String HEADER = "dq-debounce";

    /** The most that 14 digits say, some 3,168 years. */
    private static final long MOST_MILLIS = 99_999_999_999_999L;

    private LongestWait() {}

    /** The same headers behind one for this wait, or for the longest that there is room for. */
    public static Map<String, String> addTo(Map<String, String> headers, Duration longestWait) {
        return first("+" + "%014d".formatted(Math.min(longestWait.toMillis(), MOST_MILLIS)), headers);
    }

    /** How long these headers of a task that is to be stored let it wait, in milliseconds; null if they do not say. */
    public static @Nullable Long millis(Map<String, String> headers) {
        return read(headers, true);
    }

    /** The last moment of a stored task, epoch milliseconds; null if it has none. */
    public static @Nullable Long lastMoment(Map<String, String> headers) {
        return read(headers, false);
    }

    /** The same headers, with this moment. */
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
