// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.queue;

import io.delayqueue.internal.input.PrintableText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of tasks per time, such as 5 tasks a second.
 *
 * @param tasks at least 1, and at most a million a second
 * @param per at most a day
 */
public record Rate(int tasks, Duration per) {

    /** Describes the valid texts, for messages. */
    public static final String REQUIREMENT =
            "a number of tasks per s, m, h or d, such as '5/s' or '100/10m', at most 1000000/s and at least one a day";

    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})/(\\d{0,6})([smhd])");
    private static final Map<String, ChronoUnit> UNITS =
            Map.of("s", ChronoUnit.SECONDS, "m", ChronoUnit.MINUTES, "h", ChronoUnit.HOURS, "d", ChronoUnit.DAYS);
    private static final Duration LONGEST = Duration.ofDays(1);

    public Rate {
        boolean isInRange = tasks >= 1 && !per.isNegative() && !per.isZero() && per.compareTo(LONGEST) <= 0;
        if (!isInRange || per.toNanos() / 1000 / tasks < 1) {
            throw new IllegalArgumentException("A rate must be " + REQUIREMENT + ", but is " + tasks + " per " + per);
        }
    }

    /**
     * Reads a rate such as {@code 5/s}, {@code 300/m} or {@code 100/10m}.
     *
     * @throws IllegalArgumentException if the text is not a rate
     */
    public static Rate parse(String text) {
        Matcher parts = TEXT.matcher(text.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "A rate must be " + REQUIREMENT + ", but is '" + PrintableText.of(text, 60) + "'");
        }
        long units = parts.group(2).isEmpty() ? 1 : Long.parseLong(parts.group(2));
        ChronoUnit unit = Objects.requireNonNull(UNITS.get(parts.group(3)));
        return new Rate(Integer.parseInt(parts.group(1)), unit.getDuration().multipliedBy(units));
    }

    /** Returns the number of tasks per second. */
    public double perSecond() {
        return tasks * 1e9 / per.toNanos();
    }

    /** Returns the time from one task to the next, in microseconds rounded up. */
    public long intervalMicros() {
        long micros = per.toNanos() / 1000;
        return (micros + tasks - 1) / tasks;
    }
}
