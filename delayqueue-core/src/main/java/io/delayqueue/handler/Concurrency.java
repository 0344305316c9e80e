// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.queue.Bound;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many threads handle a queue's tasks in one process.
 *
 * @param min threads kept while idle
 * @param max threads at most
 */
public record Concurrency(int min, int max) {

    private static final Pattern FORM = Pattern.compile("\\s*(\\d{1,6})\\s*(?:-\\s*(\\d{1,6})\\s*)?");

    public Concurrency {
        Bound.THREADS.check("concurrency", max);
        if (min < 1 || max < min) {
            throw new IllegalArgumentException(
                    "concurrency must be at least 1 and its maximum not less than its minimum, but is " + min + "-"
                            + max);
        }
    }

    /** Reads {@code "4"} or {@code "2-10"}. */
    public static Concurrency parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "concurrency must be a number or min-max as in 2-10, but is '" + text + "'");
        }
        int min = Integer.parseInt(matcher.group(1));
        return new Concurrency(min, matcher.group(2) == null ? min : Integer.parseInt(matcher.group(2)));
    }
}
