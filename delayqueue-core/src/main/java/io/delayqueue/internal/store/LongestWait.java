// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The header that limits how long calls may postpone a task's due time. A request contains a plus sign and
 * milliseconds; the store replaces them with the latest possible due time in epoch milliseconds. Both forms have 15
 * characters, and this is always the first header, so the store need not parse the others.
 */
public final class LongestWait {

    public static final String HEADER = "dq-debounce";

    /** The maximum value with 14 digits, about 3,168 years. */
    private static final long MOST_MILLIS = 99_999_999_999_999L;

    private LongestWait() {}

    /** Returns a header for this wait, capped at the maximum, followed by the given headers. */
    public static Map<String, String> addTo(Map<String, String> headers, Duration longestWait) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put(HEADER, String.format(Locale.ROOT, "+%014d", Math.min(longestWait.toMillis(), MOST_MILLIS)));
        headers.forEach(all::putIfAbsent);
        return all;
    }
}
