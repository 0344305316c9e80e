// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control.web;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads moments and durations as people type them: {@code 18:00}, {@code tomorrow 9:30}, {@code 24.12.2030 18:00},
 * {@code 2030-12-24}, {@code 90m} or {@code 1 hour}. A date or time without an offset is in the user's time zone.
 * Immutable.
 */
record TypedMoments(Instant now, ZoneId zone) {

    private static final int LONGEST = 60;
    private static final Pattern DURATION = Pattern.compile(
            "([+-]?\\d{1,18})\\s*(ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?|w|weeks?)",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern DAY_AND_TIME = Pattern.compile("(\\S*?[-.a-z]\\S*?)(?:(?:\\s+|t)(\\d\\S*))?");
    private static final Pattern TIME = Pattern.compile("\\d{1,2}:\\d{2}(:\\d{2})?(\\.\\d{1,9})?");
    private static final DateTimeFormatter CLOCK = new DateTimeFormatterBuilder()
            .appendPattern("H:mm[:ss]")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .toFormatter(Locale.ROOT);
    private static final DateTimeFormatter DOTTED = DateTimeFormatter.ofPattern("d.M.uuuu", Locale.ROOT);

    /**
     * Returns a moment; a time without a day means today.
     *
     * @throws DateTimeException if the text is not a time @throws ArithmeticException if the moment is out of range
     */
    Instant read(String text) {
        if (text.length() > LONGEST) {
            throw new DateTimeException("too long");
        }
        if (isRelative(text)) {
            return now.plus(duration(text));
        }
        String typed = text.toLowerCase(Locale.ROOT).replaceFirst("\\s*(utc|z)$", "z");
        if (TIME.matcher(typed).matches()) {
            return at(today(), typed);
        }
        if (typed.matches(".*(z|\\d[+-]\\d{2}:\\d{2})")) {
            return OffsetDateTime.parse(typed.replace(' ', 't').toUpperCase(Locale.ROOT))
                    .toInstant();
        }
        Matcher parts = DAY_AND_TIME.matcher(typed);
        if (!parts.matches()) {
            throw new DateTimeException(text);
        }
        String time = parts.group(2);
        return at(day(parts.group(1)), time == null ? "0:00" : time);
    }

    /** Returns a moment in the future: a time that has passed today means tomorrow. */
    Instant next(String text) {
        Instant moment = read(text);
        boolean isTime = TIME.matcher(text).matches();
        return isTime && moment.isBefore(now) ? at(today().plusDays(1), text) : moment;
    }

    private Instant at(LocalDate day, String time) {
        return day.atTime(LocalTime.parse(time, CLOCK)).atZone(zone).toInstant();
    }

    private LocalDate today() {
        return LocalDate.ofInstant(now, zone);
    }

    private LocalDate day(String text) {
        return switch (text) {
            case "today" -> today();
            case "tomorrow" -> today().plusDays(1);
            case "yesterday" -> today().minusDays(1);
            default -> text.indexOf('.') < 0 ? LocalDate.parse(text) : LocalDate.parse(text, DOTTED);
        };
    }

    /** Returns whether the text is a duration, which counts from now. */
    static boolean isRelative(String text) {
        return DURATION.matcher(text).matches() || text.matches("(?i)[+-]?P.*");
    }

    /** @throws DateTimeException if the text is not a duration, such as a number without a unit */
    static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            return Duration.parse(text);
        }
        long count = Long.parseLong(matcher.group(1));
        String unit = matcher.group(2).toLowerCase(Locale.ROOT);
        if (unit.equals("ms")) {
            return Duration.ofMillis(count);
        }
        return switch (unit.charAt(0)) {
            case 's' -> Duration.ofSeconds(count);
            case 'm' -> Duration.ofMinutes(count);
            case 'h' -> Duration.ofHours(count);
            case 'd' -> Duration.ofDays(count);
            default -> Duration.ofDays(Math.multiplyExact(7L, count));
        };
    }
}
