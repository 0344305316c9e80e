// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.html;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Moments and durations as people read them. Pages show UTC, and their script adds the viewer's own zone. */
public final class Moments {

    private static final DateTimeFormatter UTC = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final Instant now;

    /** @param now what other moments are told from */
    public Moments(Instant now) {
        this.now = now;
    }

    /** For the template {@code moment}; null for none. */
    public @Nullable View view(@Nullable Instant moment) {
        return moment == null
                ? null
                : View.of("iso", moment.toString()).with("utc", utc(moment)).with("distance", distance(moment));
    }

    public static String utc(Instant moment) {
        return UTC.format(moment);
    }

    /** Such as "in 5 minutes" or "3 hours ago". */
    public String distance(Instant moment) {
        Duration until = Duration.between(now, moment);
        if (until.abs().compareTo(Duration.ofSeconds(1)) < 0) {
            return "now";
        }
        return until.isNegative() ? length(until.negated()) + " ago" : "in " + length(until);
    }

    /** Its two largest units, such as "2 hours 5 minutes"; less than two seconds in milliseconds. */
    public static String length(Duration duration) {
        if (duration.compareTo(Duration.ofSeconds(2)) < 0) {
            return duration.toMillis() + " ms";
        }
        long days = duration.toDays();
        if (days >= 730) {
            return unit(days / 365, "year");
        }
        if (days > 0) {
            return two(unit(days, "day"), duration.toHoursPart(), "hour");
        }
        if (duration.toHours() > 0) {
            return two(unit(duration.toHours(), "hour"), duration.toMinutesPart(), "minute");
        }
        if (duration.toMinutes() > 0) {
            return two(unit(duration.toMinutes(), "minute"), duration.toSecondsPart(), "second");
        }
        return unit(duration.toSeconds(), "second");
    }

    private static String two(String larger, int count, String smaller) {
        return count == 0 ? larger : larger + " " + unit(count, smaller);
    }

    private static String unit(long count, String name) {
        return Numbers.grouped(count) + " " + name + (count == 1 ? "" : "s");
    }
}
