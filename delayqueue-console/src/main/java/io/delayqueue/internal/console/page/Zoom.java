// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The length of the period that the chart shows after now, from a minute to ten years. */
enum Zoom {
    MINUTE("minute", Duration.ofSeconds(1), 60),
    HOUR("hour", Duration.ofMinutes(1), 60),
    SIX_HOURS("6 hours", Duration.ofMinutes(6), 60),
    DAY("day", Duration.ofMinutes(30), 48),
    WEEK("week", Duration.ofHours(3), 56),
    MONTH("month", Duration.ofHours(12), 62),
    YEAR("year", Duration.ofDays(7), 53),
    DECADE("decade", Duration.ofDays(61), 60);

    private final String label;
    private final Duration width;
    private final int slices;

    Zoom(String label, Duration width, int slices) {
        this.label = label;
        this.width = width;
        this.slices = slices;
    }

    static Zoom of(@Nullable String label) {
        return label == null
                ? HOUR
                : Arrays.stream(values())
                        .filter(zoom -> zoom.label.equals(label))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "The chart shows a minute, hour, 6 hours, day, week, month, year or decade"));
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

    /**
     * Returns whether the chart also shows a period of the same length before now. Past deliveries are kept for one
     * day.
     */
    boolean hasPast() {
        return this == HOUR || this == SIX_HOURS || this == DAY;
    }

    Duration length() {
        return width.multipliedBy(slices);
    }
}
