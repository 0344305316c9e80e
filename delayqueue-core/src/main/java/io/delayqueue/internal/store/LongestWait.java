// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The header that limits how long calls may postpone a task's due time. A request carries milliseconds after a plus
 * sign; the store replaces them by the last possible moment in epoch milliseconds. Both have 15 characters, and it is a
 * task's first header, so that the store can do this without reading the others.
 */
public final class LongestWait {

    public static final String HEADER = "dq-debounce";

    /** The maximum value of 14 digits, about 3,168 years. */
    private static final long MOST_MILLIS = 99_999_999_999_999L;

    private LongestWait() {}

    /** Returns the headers, preceded by a header for this wait, limited to the maximum. */
    public static Map<String, String> addTo(Map<String, String> headers, Duration longestWait) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put(HEADER, "+%014d".formatted(Math.min(longestWait.toMillis(), MOST_MILLIS)));
        headers.forEach(all::putIfAbsent);
        return all;
    }
}
