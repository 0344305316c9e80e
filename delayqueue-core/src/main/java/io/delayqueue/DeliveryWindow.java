// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The hours in which a task may be delivered, in a time zone:
 * <pre>{@code
 * DeliveryWindow.between(LocalTime.of(9, 0), LocalTime.of(21, 0)).inZone(ZoneId.of("Europe/Berlin"))
 * }</pre>
 *
 * <p>The window is open while the local time is at or after the first time and before the second. When the clocks
 * change, skipped local times are never open and repeated ones are open twice. If the second time is not after the
 * first, the window extends past midnight and belongs to the day on which it opens. Two equal times mean 24 hours.
 *
 * @param from opening time
 * @param to closing time
 * @param zone the time zone
 * @param days the days on which the window opens; ignored if there is a calendar
 * @param calendar name of the {@link WorkingDays} calendar with the days on which the window opens; null to use
 *     {@code days}
 */
public record DeliveryWindow(
        LocalTime from,
        LocalTime to,
        ZoneId zone,
        Set<DayOfWeek> days,
        @Nullable String calendar) {

    private static final Set<DayOfWeek> ALL_DAYS = Set.copyOf(EnumSet.allOf(DayOfWeek.class));

    /** A window that is always open, for a task that ignores the hours of its queue. */
    public static final DeliveryWindow ALWAYS =
            between(LocalTime.MIDNIGHT, LocalTime.MIDNIGHT).inZone(ZoneOffset.UTC);

    /** Maximum number of days to search for an opening. */
    private static final int MOST_DAYS = 400;

    private static final String CALENDAR = "calendar:";

    /**
     * @throws IllegalArgumentException if {@code days} is empty, or if the calendar's name is empty or contains a space
     */
    public DeliveryWindow {
        days = Set.copyOf(days);
        if (days.isEmpty()) {
            throw new IllegalArgumentException("A window must open on at least one day of the week");
        }
        if (calendar != null && !calendar.matches("[\\x21-\\x7e]+")) {
            throw new IllegalArgumentException("A calendar's name must be printable ASCII without spaces");
        }
    }

    /** Starts to build a window that opens and closes at these local times. */
    public static Hours between(LocalTime from, LocalTime to) {
        return new Hours(from, to);
    }

    /** Returns a copy of this window that opens only on these days of the week. */
    public DeliveryWindow onDays(DayOfWeek... some) {
        return new DeliveryWindow(from, to, zone, Set.copyOf(Arrays.asList(some)), null);
    }

    /** Returns a copy of this window that opens only on the working days of a calendar. */
    public DeliveryWindow onWorkingDays(String calendarName) {
        return new DeliveryWindow(from, to, zone, ALL_DAYS, calendarName);
    }

    /** Returns whether the window never closes. */
    public boolean isAlways() {
        return from.equals(to) && days.equals(ALL_DAYS) && calendar == null;
    }

    /**
     * Returns whether the window is open at the given time.
     *
     * @param calendars calendars by name
     * @throws IllegalArgumentException if the calendar of this window is missing
     */
    public boolean isOpen(Instant at, Map<String, WorkingDays> calendars) {
        return isOpen(LocalDateTime.ofInstant(at, zone), calendars);
    }

    private boolean isOpen(LocalDateTime local, Map<String, WorkingDays> calendars) {
        LocalTime time = local.toLocalTime();
        LocalDate day = local.toLocalDate();
        if (from.isBefore(to)) {
            return !time.isBefore(from) && time.isBefore(to) && opensOn(day, calendars);
        }
        return time.isBefore(from)
                ? time.isBefore(to) && opensOn(day.minusDays(1), calendars)
                : opensOn(day, calendars);
    }

    private boolean opensOn(LocalDate day, Map<String, WorkingDays> calendars) {
        if (calendar == null) {
            return days.contains(day.getDayOfWeek());
        }
        WorkingDays workingDays = calendars.get(calendar);
        if (workingDays == null) {
            throw new IllegalArgumentException(
                    "There is no calendar '" + calendar + "', only " + new TreeSet<>(calendars.keySet()));
        }
        return workingDays.isWorkingDay(day);
    }

    /**
     * Returns the first moment at or after the given one when the window is open.
     *
     * @param calendars calendars by name
     * @return the opening; empty if there is none within 400 days
     * @throws IllegalArgumentException if the calendar of this window is missing
     */
    public Optional<Instant> nextOpening(Instant at, Map<String, WorkingDays> calendars) {
        LocalDateTime local = LocalDateTime.ofInstant(at, zone);
        if (isOpen(local, calendars)) {
            return Optional.of(at);
        }
        Instant last = at.plusSeconds(MOST_DAYS * 86_400L);
        LocalDate yesterday = local.toLocalDate().minusDays(1);
        for (int i = 0; i <= MOST_DAYS; i++) {
            LocalDate day = yesterday.plusDays(i);
            Optional<Instant> opening = openings(day, calendars)
                    .filter(instant -> !instant.isBefore(at))
                    .min(Instant::compareTo);
            if (opening.isPresent()) {
                return reopening(at, opening.get(), calendars).or(() -> opening);
            }
        }
        return reopening(at, last, calendars);
    }

    /**
     * Returns the start of the most recent opening at or before the given moment.
     *
     * @param calendars calendars by name
     * @return the opening; empty if there was none in the previous 400 days
     * @throws IllegalArgumentException if the calendar of this window is missing
     */
    public Optional<Instant> previousOpening(Instant at, Map<String, WorkingDays> calendars) {
        LocalDate today = LocalDateTime.ofInstant(at, zone).toLocalDate();
        for (int i = 0; i <= MOST_DAYS; i++) {
            LocalDate day = today.minusDays(i);
            Optional<Instant> opening = openings(day, calendars)
                    .filter(instant -> !instant.isAfter(at))
                    .max(Instant::compareTo);
            if (opening.isPresent()) {
                return opening;
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the openings of this day. If the clocks skip the opening time, the window opens when they are set
     * forward, unless they skip all of it.
     */
    private Stream<Instant> openings(LocalDate day, Map<String, WorkingDays> calendars) {
        if (!opensOn(day, calendars)) {
            return Stream.empty();
        }
        LocalDateTime local = day.atTime(from);
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
        return offsets.isEmpty()
                ? Stream.of(zone.getRules().getTransition(local).getInstant())
                        .filter(instant -> isOpen(instant, calendars))
                : offsets.stream().map(local::toInstant);
    }

    /**
     * Returns the first moment between the two at which the clocks are set to a time within the window; empty if there
     * is none.
     */
    private Optional<Instant> reopening(Instant after, Instant before, Map<String, WorkingDays> calendars) {
        ZoneRules rules = zone.getRules();
        ZoneOffsetTransition next = rules.nextTransition(after);
        while (next != null && next.getInstant().isBefore(before)) {
            if (isOpen(next.getDateTimeAfter(), calendars)) {
                return Optional.of(next.getInstant());
            }
            next = rules.nextTransition(next.getInstant());
        }
        return Optional.empty();
    }

    /**
     * Parses the output of {@link #toString}.
     *
     * @throws IllegalArgumentException if the text is invalid or this JVM does not know the zone
     */
    public static DeliveryWindow parse(String text) {
        String[] parts = text.split(" ", -1);
        String[] hours = parts[0].split("-", -1);
        if (hours.length != 2 || parts.length < 2 || parts.length > 3) {
            throw new IllegalArgumentException("a window needs hours and a zone");
        }
        try {
            DeliveryWindow daily = between(LocalTime.parse(hours[0]), LocalTime.parse(hours[1]))
                    .inZone(ZoneId.of(parts[1]));
            if (parts.length == 2) {
                return daily;
            }
            if (parts[2].startsWith(CALENDAR)) {
                return daily.onWorkingDays(parts[2].substring(CALENDAR.length()));
            }
            return daily.onDays(Arrays.stream(parts[2].split(",", -1))
                    .map(DeliveryWindow::day)
                    .toArray(DayOfWeek[]::new));
        } catch (DateTimeException ex) {
            throw new IllegalArgumentException("invalid hours or unknown zone of a window", ex);
        }
    }

    /**
     * Parses the name of a day. Avoids the exception of {@code valueOf}, whose message would contain arbitrary text.
     */
    private static DayOfWeek day(String name) {
        return Arrays.stream(DayOfWeek.values())
                .filter(day -> day.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("invalid days of a window"));
    }

    /**
     * Returns text such as {@code 09:00-21:00 Europe/Berlin}, followed by {@code MONDAY,TUESDAY} or
     * {@code calendar:name} if the days are limited.
     */
    @Override
    public String toString() {
        String daily = from + "-" + to + " " + zone;
        if (calendar != null) {
            return daily + " " + CALENDAR + calendar;
        }
        return days.equals(ALL_DAYS)
                ? daily
                : daily + " "
                        + new TreeSet<>(days).stream().map(DayOfWeek::name).collect(Collectors.joining(","));
    }

    /**
     * Local times whose zone is not set yet.
     *
     * @param from opening time
     * @param to closing time
     */
    public record Hours(LocalTime from, LocalTime to) {

        /** Returns a window with these hours in the given zone, on every day of the week. */
        public DeliveryWindow inZone(ZoneId zone) {
            return new DeliveryWindow(from, to, zone, ALL_DAYS, null);
        }
    }
}
