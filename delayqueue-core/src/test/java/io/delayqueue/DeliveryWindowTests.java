// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares windows, in all zones and around all transitions of two decades, with an implementation that checks every
 * quarter of an hour.
 */
class DeliveryWindowTests {

    private static final Instant FIRST = Instant.parse("2015-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("2035-01-01T00:00:00Z");
    private static final long QUARTER = Duration.ofMinutes(15).toMillis();
    private static final Map<String, WorkingDays> CALENDARS = Map.of("even", day -> day.getDayOfYear() % 2 == 0);
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private final Random random = new Random(20150101);

    private static DeliveryWindow berlin(String from, String to) {
        return DeliveryWindow.between(LocalTime.parse(from), LocalTime.parse(to))
                .inZone(BERLIN);
    }

    private static Instant next(DeliveryWindow window, String at) {
        return window.nextOpening(Instant.parse(at), CALENDARS).orElseThrow();
    }

    private static Instant previous(DeliveryWindow window, String at) {
        return window.previousOpening(Instant.parse(at), CALENDARS).orElseThrow();
    }

    @Test
    void previousOpeningIsTheBeginningOfTheLastOneBefore() {
        DeliveryWindow day = berlin("09:00", "18:00");
        DeliveryWindow night = berlin("22:00", "06:00");

        assertThat(previous(day, "2027-01-13T19:00:00Z")).isEqualTo("2027-01-13T08:00:00Z");
        assertThat(previous(day, "2027-01-13T07:59:59Z")).isEqualTo("2027-01-12T08:00:00Z");
        assertThat(previous(day, "2027-01-13T10:00:00Z")).isEqualTo("2027-01-13T08:00:00Z");
        assertThat(previous(day.onDays(DayOfWeek.FRIDAY), "2027-01-13T19:00:00Z"))
                .isEqualTo("2027-01-08T08:00:00Z");
        assertThat(previous(night, "2027-01-13T12:00:00Z")).isEqualTo("2027-01-12T21:00:00Z");
        assertThat(previous(day.onWorkingDays("even"), "2027-01-13T19:00:00Z")).isEqualTo("2027-01-12T08:00:00Z");
    }

    @Test
    void previousOpeningWhenClocksAreSetIsWhereTheyShowItOrSkipIt() {
        DeliveryWindow early = berlin("02:30", "08:00");

        assertThat(previous(early, "2027-03-28T12:00:00Z")).isEqualTo("2027-03-28T01:00:00Z");
        assertThat(previous(early, "2027-10-31T12:00:00Z")).isEqualTo("2027-10-31T01:30:00Z");
        assertThat(early.isOpen(previous(early, "2027-03-28T12:00:00Z"), CALENDARS))
                .isTrue();
        assertThat(previous(berlin("02:10", "02:50"), "2027-03-28T12:00:00Z"))
                .as("all of it is skipped")
                .isEqualTo("2027-03-27T01:10:00Z");
    }

    @Test
    void previousOpeningWhenThereWasNoneIsEmpty() {
        Map<String, WorkingDays> never = Map.of("never", day -> false);

        assertThat(berlin("09:00", "18:00").onWorkingDays("never").previousOpening(FIRST, never))
                .isEmpty();
    }

    /** Returns one zone for each set of rules; most zones share theirs with others. */
    private static Iterable<ZoneId> zones() {
        Map<ZoneRules, ZoneId> byRules = new LinkedHashMap<>();
        ZoneId.getAvailableZoneIds().stream()
                .sorted()
                .map(ZoneId::of)
                .forEach(zone -> byRules.putIfAbsent(zone.getRules(), zone));
        return byRules.values();
    }

    private static List<ZoneOffsetTransition> transitions(ZoneId zone) {
        List<ZoneOffsetTransition> transitions = new ArrayList<>();
        ZoneOffsetTransition next = zone.getRules().nextTransition(FIRST);
        while (next != null && next.getInstant().isBefore(LAST)) {
            transitions.add(next);
            next = zone.getRules().nextTransition(next.getInstant());
        }
        return transitions;
    }

    /** Returns whether the window is open, implemented independently. */
    private static boolean isOpen(DeliveryWindow window, long millis) {
        LocalDateTime local = LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), window.zone());
        for (int back = 0; back <= 1; back++) {
            LocalDate day = local.toLocalDate().minusDays(back);
            LocalDateTime opens = day.atTime(window.from());
            LocalDateTime closes = day.atTime(window.to());
            closes = closes.isAfter(opens) ? closes : closes.plusDays(1);
            boolean counts = (window.calendar() == null)
                    ? window.days().contains(day.getDayOfWeek())
                    : day.getDayOfYear() % 2 == 0;
            if (counts && !local.isBefore(opens) && local.isBefore(closes)) {
                return true;
            }
        }
        return false;
    }

    /** Offsets and windows are whole quarters of an hour, so nothing changes within one but where clocks are set. */
    private static long firstOpen(DeliveryWindow window, long from) {
        long at = from;
        while (!isOpen(window, at)) {
            ZoneOffsetTransition set = window.zone().getRules().nextTransition(Instant.ofEpochMilli(at));
            long quarter = at - Math.floorMod(at, QUARTER) + QUARTER;
            at = set == null ? quarter : Math.min(quarter, set.getInstant().toEpochMilli());
        }
        return at;
    }

    private DeliveryWindow window(ZoneId zone, LocalTime near) {
        LocalTime from = near.plusMinutes(15L * (random.nextInt(17) - 8));
        LocalTime to = random.nextInt(4) == 0
                ? LocalTime.MIDNIGHT.plusMinutes(15L * random.nextInt(96))
                : from.plusMinutes(15L * (1 + random.nextInt(8)));
        DeliveryWindow daily = DeliveryWindow.between(from, to).inZone(zone);
        return switch (random.nextInt(4)) {
            case 0 -> daily.onWorkingDays("even");
            case 1 -> daily.onDays(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY);
            default -> daily;
        };
    }

    @Test
    void nextOpeningWhenClocksAreSetAnywhereIsTheFirstMomentAtWhichItIsOpen() {
        int checked = 0;
        for (ZoneId zone : zones()) {
            List<ZoneOffsetTransition> transitions = transitions(zone);
            for (int i = 0; i < Math.max(4, transitions.size()); i++) {
                Instant around = transitions.isEmpty()
                        ? FIRST.plusSeconds(random.nextInt(600_000_000))
                        : transitions.get(i % transitions.size()).getInstant();
                LocalTime near = LocalDateTime.ofInstant(around, zone).toLocalTime();
                near = near.withMinute(near.getMinute() / 15 * 15).withSecond(0).withNano(0);
                DeliveryWindow window = window(zone, near);
                long from = around.toEpochMilli() - random.nextInt(30) * 3_600_000L + random.nextInt(60 * 3_600_000);

                assertThat(window.nextOpening(Instant.ofEpochMilli(from), CALENDARS))
                        .as("%s from %s", window, Instant.ofEpochMilli(from))
                        .contains(Instant.ofEpochMilli(firstOpen(window, from)));
                assertThat(DeliveryWindow.parse(window.toString())).isEqualTo(window);
                checked++;
            }
        }
        assertThat(checked).isGreaterThan(5_000);
    }

    @Test
    void localTimeWhenClocksAreSetAnywhereIsTheFirstMomentThatShowsItOrLaterByTheGap() {
        for (ZoneId zone : zones()) {
            for (ZoneOffsetTransition transition : transitions(zone)) {
                LocalDateTime before = transition.getDateTimeBefore();
                LocalDateTime after = transition.getDateTimeAfter();
                LocalDateTime within = (transition.isGap() ? before : after)
                        .plus(transition.getDuration().abs().dividedBy(2));
                Instant due = new LocalDueTime(within, zone).toInstant();
                LocalDateTime shown = LocalDateTime.ofInstant(due, zone);

                if (transition.isGap()) {
                    assertThat(shown).as(transition + " in " + zone).isEqualTo(within.plus(transition.getDuration()));
                    assertThat(due).isAfter(transition.getInstant());
                } else {
                    assertThat(shown).isEqualTo(within);
                    assertThat(due).as("the first of two").isBefore(transition.getInstant());
                }
                assertThat(LocalDueTime.parse(new LocalDueTime(within, zone).toString()))
                        .isEqualTo(new LocalDueTime(within, zone));
            }
        }
    }

    @Test
    void nextOpeningWhenClocksAreSetForwardOrBackIsAsPromised() {
        assertThat(next(berlin("02:30", "04:00"), "2027-03-28T00:30:00Z"))
                .as("02:30 is skipped")
                .isEqualTo("2027-03-28T01:00:00Z");
        assertThat(next(berlin("02:10", "02:50"), "2027-03-28T00:30:00Z"))
                .as("all of it is skipped")
                .isEqualTo("2027-03-29T00:10:00Z");
        assertThat(next(berlin("02:00", "02:30"), "2027-10-31T00:40:00Z"))
                .as("it opens twice")
                .isEqualTo("2027-10-31T01:00:00Z");
        assertThat(next(berlin("09:00", "21:00"), "2027-06-01T19:00:00Z")).isEqualTo("2027-06-02T07:00:00Z");
        assertThat(next(berlin("22:00", "06:00"), "2027-06-01T01:00:00Z")).isEqualTo("2027-06-01T01:00:00Z");
        assertThat(next(berlin("09:00", "21:00").onDays(DayOfWeek.MONDAY), "2027-06-01T19:00:00Z"))
                .isEqualTo("2027-06-07T07:00:00Z");
    }

    @Test
    void nextOpeningWhenItNeverOpensIsEmpty() {
        DeliveryWindow never = berlin("09:00", "10:00").onWorkingDays("none");

        assertThat(never.nextOpening(FIRST, Map.of("none", day -> false))).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> never.nextOpening(FIRST, CALENDARS))
                .withMessageContaining("'none'")
                .withMessageContaining("even");
    }

    @Test
    void alwaysIsOpenAtAnyTime() {
        assertThat(DeliveryWindow.ALWAYS.isAlways()).isTrue();
        assertThat(DeliveryWindow.parse(DeliveryWindow.ALWAYS.toString())).isEqualTo(DeliveryWindow.ALWAYS);
        assertThat(DeliveryWindow.ALWAYS.isOpen(FIRST, Map.of())).isTrue();
        assertThat(berlin("09:00", "09:00").onWorkingDays("even").isAlways()).isFalse();
        assertThat(DeliveryWindow.between(LocalTime.NOON, LocalTime.NOON)
                        .inZone(ZoneOffset.ofHours(3))
                        .isAlways())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "09:00-21:00",
                "09:00 Europe/Berlin",
                "9-21 Europe/Berlin",
                "09:00-21:00 Europe/Nowhere",
                "09:00-21:00 UTC SOMEDAY",
                "09:00-21:00 UTC ",
                "09:00-21:00 UTC calendar:",
                "09:00-21:00 UTC MONDAY x"
            })
    void parseWhenItIsNoWindowIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> DeliveryWindow.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2027-03-28T02:30", "2027-03-28T02:30[Europe/Nowhere]", "[UTC]", "2027-03-28[UTC]"})
    void parseWhenItIsNoLocalTimeIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> LocalDueTime.parse(text));
    }
}
