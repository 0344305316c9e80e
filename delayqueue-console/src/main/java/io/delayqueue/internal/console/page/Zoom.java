// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The length of the period that the chart shows after now, from a minute to ten years. */
enum Zoom {
    MINUTE("minute", Duration.ofSeconds(1), 60, null),
    HOUR("hour", Duration.ofMinutes(1), 60, ChronoUnit.MINUTES),
    SIX_HOURS("6 hours", Duration.ofMinutes(6), 60, ChronoUnit.MINUTES),
    DAY("day", Duration.ofMinutes(30), 48, ChronoUnit.MINUTES),
    WEEK("week", Duration.ofHours(3), 56, ChronoUnit.HOURS),
    QUARTER("90 days", Duration.ofDays(1), 90, ChronoUnit.HOURS),
    YEAR("year", Duration.ofDays(7), 53, null),
    DECADE("decade", Duration.ofDays(61), 60, null);

    private final String label;
    private final Duration width;
    private final int slices;
    private final @Nullable ChronoUnit past;

    /** @param past the unit of past deliveries; null to show none */
    Zoom(String label, Duration width, int slices, @Nullable ChronoUnit past) {
        this.label = label;
        this.width = width;
        this.slices = slices;
        this.past = past;
    }

    static Zoom of(@Nullable String label) {
        return label == null
                ? HOUR
                : Arrays.stream(values())
                        .filter(zoom -> zoom.label.equals(label))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "The chart shows a minute, hour, 6 hours, day, week, 90 days, year or decade"));
    }

    /** Returns the smallest zoom that shows the complete window. */
    static Zoom fitting(Instant from, Instant until) {
        return Arrays.stream(values())
                .filter(zoom -> zoom.length().compareTo(Duration.between(from, until)) >= 0)
                .findFirst()
                .orElse(DECADE);
    }

    String label() {
        return label;
    }

    Duration width() {
        return width;
    }

    int slices() {
        return slices;
    }

    /**
     * Returns the unit to which the current time is rounded down, so that columns do not move when the page is updated.
     */
    ChronoUnit begins() {
        return width.compareTo(Duration.ofMinutes(1)) < 0 ? ChronoUnit.SECONDS : ChronoUnit.MINUTES;
    }

    /** Returns the unit of deliveries in a period of the same length before now; null if the chart does not show it. */
    @Nullable
    ChronoUnit past() {
        return past;
    }

    Duration length() {
        return width.multipliedBy(slices);
    }
}
