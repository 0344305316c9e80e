// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.queue;

import io.delayqueue.internal.input.Bound;
import io.delayqueue.internal.input.PrintableText;
import java.math.BigInteger;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of tasks per time, for example 5 tasks a second.
 *
 * @param tasks at least 1, and at most a million a second
 * @param per at most a day
 * @param burst number of tasks that may be delivered without a pause; 0 for the number that the rate allows in a tenth
 *     of a second, but at least one
 */
public record Rate(int tasks, Duration per, int burst) {

    /** Describes the valid format, for messages. */
    public static final String REQUIREMENT =
            "a number of tasks per s, m, h or d, such as '5/s' or '100/10m', at most 1000000/s and at least one a day,"
                    + " optionally followed by ' burst ' and a number from 1 to 10000, such as '5/s burst 10'";

    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})/(\\d{0,6})([smhd])(?: +burst +(\\d{1,5}))?");
    private static final Pattern REDUCED = Pattern.compile("(\\d{1,9})/(\\d{1,9})ms(?:\\+(\\d{1,5}))?");
    private static final int BURSTS_A_SECOND = 10;
    private static final Map<String, ChronoUnit> UNITS =
            Map.of("s", ChronoUnit.SECONDS, "m", ChronoUnit.MINUTES, "h", ChronoUnit.HOURS, "d", ChronoUnit.DAYS);
    private static final Duration LONGEST = Duration.ofDays(1);

    public Rate {
        boolean isInRange = tasks >= 1 && !per.isNegative() && !per.isZero() && per.compareTo(LONGEST) <= 0;
        if (!isInRange || per.toNanos() / 1000 / tasks < 1) {
            throw new IllegalArgumentException("A rate must be " + REQUIREMENT + ", but is " + tasks + " per " + per);
        }
        if (burst != 0) {
            Bound.BURST.check("The burst of a rate", burst);
        }
    }

    /** Creates a rate with a burst of a tenth of a second, or of one task if the rate is lower. */
    public Rate(int tasks, Duration per) {
        this(tasks, per, 0);
    }

    /**
     * Parses a rate such as {@code 5/s}, {@code 300/m}, {@code 100/10m} or {@code 5/s burst 10}.
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
        int burst =
                parts.group(4) == null ? 0 : Bound.BURST.check("The burst of a rate", Integer.parseInt(parts.group(4)));
        return new Rate(Integer.parseInt(parts.group(1)), unit.getDuration().multipliedBy(units), burst);
    }

    /** Returns this rate in its lowest terms, for example {@code 1/200ms}, or {@code 1/200ms+10} with a burst of 10. */
    public String reduced() {
        long millis = per.toMillis();
        long divisor = BigInteger.valueOf(tasks).gcd(BigInteger.valueOf(millis)).longValueExact();
        return tasks / divisor + "/" + millis / divisor + "ms" + (burst == 0 ? "" : "+" + burst);
    }

    /**
     * Parses the result of {@link #reduced}.
     *
     * @throws IllegalArgumentException if the text is not such a rate
     */
    public static Rate ofReduced(String text) {
        Matcher parts = REDUCED.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("'" + PrintableText.of(text, 60) + "' is not a rate");
        }
        return new Rate(
                Integer.parseInt(parts.group(1)),
                Duration.ofMillis(Long.parseLong(parts.group(2))),
                parts.group(3) == null ? 0 : Integer.parseInt(parts.group(3)));
    }

    /** Returns the lower of two rates, with the smaller of their bursts. */
    Rate lower(Rate other) {
        Rate lower = perSecond() <= other.perSecond() ? this : other;
        int least = Math.min(atOnce(), other.atOnce());
        return lower.atOnce() == least ? lower : new Rate(lower.tasks, lower.per, least);
    }

    /** Returns how many tasks may be delivered without a pause. */
    public int atOnce() {
        return burst > 0 ? burst : Math.max(1, (int) (perSecond() / BURSTS_A_SECOND));
    }

    public double perSecond() {
        return tasks * 1e9 / per.toNanos();
    }

    /** Returns the interval between two tasks, in microseconds rounded up. */
    public long intervalMicros() {
        long micros = per.toNanos() / 1000;
        return (micros + tasks - 1) / tasks;
    }
}
