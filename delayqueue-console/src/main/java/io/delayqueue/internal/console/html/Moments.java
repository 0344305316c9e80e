// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.html;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Formats times and durations for people. Pages contain UTC; their script can show the viewer's time zone.
 *
 * @param now the current time, for distances
 */
public record Moments(Instant now) {

    private static final DateTimeFormatter FULL = format("uuuu-MM-dd HH:mm:ss 'UTC'");
    private static final DateTimeFormatter TODAY = format("HH:mm:ss");
    private static final DateTimeFormatter THIS_YEAR = format("d MMM HH:mm");
    private static final DateTimeFormatter OTHER = format("d MMM uuuu HH:mm");

    private static DateTimeFormatter format(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).withZone(ZoneOffset.UTC);
    }

    /** Returns the view of a time for the templates {@code time} and {@code moment}; null for none. */
    public @Nullable View view(@Nullable Instant moment) {
        return moment == null
                ? null
                : View.of("iso", moment.toString())
                        .with("full", utc(moment))
                        .with("moment", text(moment))
                        .with("distance", distance(moment));
    }

    public static String utc(Instant moment) {
        return FULL.format(moment);
    }

    /**
     * Formats a time. For today, shows only the time of day, such as "04:01:49"; otherwise also the date, without the
     * year if it is the current one.
     */
    public String text(Instant moment) {
        LocalDate day = day(moment);
        LocalDate today = day(now);
        return (day.equals(today) ? TODAY : day.getYear() == today.getYear() ? THIS_YEAR : OTHER).format(moment);
    }

    private static LocalDate day(Instant moment) {
        return LocalDate.ofInstant(moment, ZoneOffset.UTC);
    }

    /** Formats the distance from now, such as "in 5 minutes" or "3 hours ago". */
    public String distance(Instant moment) {
        Duration until = Duration.between(now, moment);
        if (until.abs().compareTo(Duration.ofSeconds(2)) < 0) {
            return until.isNegative() ? "just now" : "now";
        }
        return until.isNegative() ? length(until.negated()) + " ago" : "in " + length(until);
    }

    /**
     * Formats a duration in its two largest units, such as "2 hours 5 minutes"; below ten seconds like {@link #brief}.
     */
    public static String length(Duration duration) {
        return duration.toMillis() < 2000 ? brief(duration) : units(duration, false);
    }

    /** Formats a duration for a table, in its two largest units, such as "3 ms", "1.2 s" or "5 m 39 s". */
    public static String brief(Duration duration) {
        if (duration.toMillis() < 1000) {
            return duration.toMillis() + " ms";
        }
        return duration.toSeconds() < 10
                ? String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0)
                        .replace(".0 s", " s")
                : units(duration, true);
    }

    private static String units(Duration duration, boolean isBrief) {
        long days = duration.toDays();
        if (days >= 730) {
            return unit(days / 365, "year", isBrief);
        }
        if (days > 0) {
            return unit(days, "day", isBrief) + more(duration.toHoursPart(), "hour", isBrief);
        }
        if (duration.toHours() > 0) {
            return unit(duration.toHours(), "hour", isBrief) + more(duration.toMinutesPart(), "minute", isBrief);
        }
        return duration.toMinutes() > 0
                ? unit(duration.toMinutes(), "minute", isBrief) + more(duration.toSecondsPart(), "second", isBrief)
                : unit(duration.toSeconds(), "second", isBrief);
    }

    private static String more(int count, String name, boolean isBrief) {
        return count == 0 ? "" : " " + unit(count, name, isBrief);
    }

    private static String unit(long count, String name, boolean isBrief) {
        return isBrief ? Numbers.grouped(count) + " " + name.charAt(0) : Numbers.of(count, name);
    }
}
