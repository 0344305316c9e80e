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
import org.jspecify.annotations.Nullable;

/**
 * The hours in which a task may be delivered, by the clocks of a place:
 *
 * <pre>{@code
 * DeliveryWindow.between(LocalTime.of(9, 0), LocalTime.of(21, 0)).in(ZoneId.of("Europe/Berlin"))
 * }</pre>
 *
 * <p>It is open whenever the clocks show a time from the first one on and before the second one, also where they are set
 * forward or back: of the hours that they skip it is open in none, and in those that they show twice it is open twice. Where
 * the second time is not after the first one, the window goes on past midnight and belongs to the day on which it opens; two
 * equal times stand for a whole day.
 *
 * @param from when it opens
 * @param to when it closes
 * @param zone whose clocks count
 * @param days on which it opens, where no calendar says so
 * @param calendar name of the {@link WorkingDays} that say on which days it opens; null for {@code days}
 */
public record DeliveryWindow(
        LocalTime from,
        LocalTime to,
        ZoneId zone,
        Set<DayOfWeek> days,
        @Nullable String calendar) {

    private static final Set<DayOfWeek> ALL_DAYS = Set.copyOf(EnumSet.allOf(DayOfWeek.class));

    /** Open at any time, as for a task that does not keep to the hours of its queue. */
    public static final DeliveryWindow ALWAYS =
            between(LocalTime.MIDNIGHT, LocalTime.MIDNIGHT).inZone(ZoneOffset.UTC);

    /** How far ahead an opening is looked for. */
    private static final int MOST_DAYS = 400;

    private static final String CALENDAR = "calendar:";

    /** @throws IllegalArgumentException if there is no day, or the calendar's name is empty or holds a space */
    public DeliveryWindow {
        days = Set.copyOf(days);
        if (days.isEmpty()) {
            throw new IllegalArgumentException("A window must open on some day of the week");
        }
        if (calendar != null && !calendar.matches("[\\x21-\\x7e]+")) {
            throw new IllegalArgumentException("A calendar's name must be printable ASCII without spaces");
        }
    }

    /** Begins a window that opens at one time of the day and closes at the other. */
    public static Hours between(LocalTime from, LocalTime to) {
        return new Hours(from, to);
    }

    /** The same, on these days of the week only. */
    public DeliveryWindow onDays(DayOfWeek... some) {
        return new DeliveryWindow(from, to, zone, Set.copyOf(Arrays.asList(some)), null);
    }

    /** The same, on the days that a calendar calls working days. */
    public DeliveryWindow onWorkingDays(String calendarName) {
        return new DeliveryWindow(from, to, zone, ALL_DAYS, calendarName);
    }

    /** Whether it never closes. */
    public boolean isAlways() {
        return from.equals(to) && days.equals(ALL_DAYS) && calendar == null;
    }

    /**
     * Whether it is open.
     *
     * @param calendars by their names
     * @throws IllegalArgumentException if there is no calendar of its name
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
     * The first moment from this one on at which it is open.
     *
     * @param calendars by their names
     * @return empty if it does not open in 400 days
     * @throws IllegalArgumentException if there is no calendar of its name
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
            Instant opening = opensOn(day, calendars) ? opening(day, at) : null;
            if (opening != null) {
                return Optional.of(reopening(at, opening, calendars).orElse(opening));
            }
        }
        return reopening(at, last, calendars);
    }

    /**
     * When the last opening began that was over by this moment, or that goes on.
     *
     * @param calendars by their names
     * @return empty if none began in the 400 days before
     * @throws IllegalArgumentException if there is no calendar of its name
     */
    public Optional<Instant> previousOpening(Instant at, Map<String, WorkingDays> calendars) {
        LocalDate today = LocalDateTime.ofInstant(at, zone).toLocalDate();
        for (int i = 0; i <= MOST_DAYS; i++) {
            LocalDate day = today.minusDays(i);
            if (opensOn(day, calendars)) {
                Optional<Instant> opening = openings(day).stream()
                        .filter(instant -> !instant.isAfter(at))
                        .max(Instant::compareTo);
                if (opening.isPresent()) {
                    return opening;
                }
            }
        }
        return Optional.empty();
    }

    /** The moments of this day at which it opens: where clocks skip the time of opening, when they skip it. */
    private List<Instant> openings(LocalDate day) {
        LocalDateTime local = day.atTime(from);
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
        return offsets.isEmpty()
                ? List.of(zone.getRules().getTransition(local).getInstant())
                : offsets.stream().map(local::toInstant).toList();
    }

    /** The first moment of this day, not before another one, at which clocks show the time of opening; null for none. */
    private @Nullable Instant opening(LocalDate day, Instant notBefore) {
        LocalDateTime local = day.atTime(from);
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
        return offsets.stream()
                .map(local::toInstant)
                .filter(instant -> !instant.isBefore(notBefore))
                .min(Instant::compareTo)
                .orElse(null);
    }

    /** The first moment between these two at which clocks are set to a time of the window; empty if there is none. */
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
     * Reads what {@link #toString} has written.
     *
     * @throws IllegalArgumentException if it is something else, or this JVM does not know the zone
     */
    public static DeliveryWindow parse(String text) {
        String[] parts = text.split(" ", -1);
        String[] hours = parts[0].split("-", -1);
        if (hours.length != 2 || parts.length < 2 || parts.length > 3) {
            throw new IllegalArgumentException("not the hours and the zone of a window");
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
            throw new IllegalArgumentException("not the hours of a window in a zone that is known here", ex);
        }
    }

    /** The message of {@code valueOf} would show the text, whatever is in it. */
    private static DayOfWeek day(String name) {
        return Arrays.stream(DayOfWeek.values())
                .filter(day -> day.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("not the days of a window"));
    }

    /** Such as {@code 09:00-21:00 Europe/Berlin}, and where not all days count {@code MONDAY,TUESDAY} or {@code calendar:name}. */
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
     * Times of the day whose place is not known yet.
     *
     * @param from when it opens
     * @param to when it closes
     */
    public record Hours(LocalTime from, LocalTime to) {

        /** In this zone, on every day. */
        public DeliveryWindow inZone(ZoneId zone) {
            return new DeliveryWindow(from, to, zone, ALL_DAYS, null);
        }
    }
}
