// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.input;

import java.time.Duration;
import java.util.regex.Pattern;

/** Formats durations as in properties, for example {@code 30s}. */
public final class DurationText {

    private static final long SECOND = 1000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final Duration MOST_MILLIS = Duration.ofMillis(Long.MAX_VALUE);
    private static final Duration LEAST_MILLIS = MOST_MILLIS.negated();

    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+");

    private DurationText() {}

    /** Returns whether the text is a number other than 0 without a unit, which could mean seconds or milliseconds. */
    public static boolean lacksUnit(String text) {
        return NUMBER.matcher(text.strip()).matches() && !text.matches("[\\s+0-]+");
    }

    /**
     * Returns the text to suggest instead of a number, for example {@code 60s for seconds or 60ms for milliseconds}.
     */
    public static String withUnits(String number) {
        return PrintableText.of(number.strip(), 30) + "s for seconds or " + PrintableText.of(number.strip(), 30)
                + "ms for milliseconds";
    }

    /** Formats a duration in the largest unit that yields a whole number, ignoring fractions of a millisecond. */
    public static String of(Duration duration) {
        if (duration.compareTo(MOST_MILLIS) > 0 || duration.compareTo(LEAST_MILLIS) < 0) {
            return duration.toSeconds() + "s";
        }
        long millis = duration.toMillis();
        if (millis == 0) {
            return duration.isZero() ? "0s" : duration.toNanos() + "ns";
        }
        if (millis % DAY == 0) {
            return millis / DAY + "d";
        }
        if (millis % HOUR == 0) {
            return millis / HOUR + "h";
        }
        if (millis % MINUTE == 0) {
            return millis / MINUTE + "m";
        }
        return (millis % SECOND == 0) ? millis / SECOND + "s" : millis + "ms";
    }
}
