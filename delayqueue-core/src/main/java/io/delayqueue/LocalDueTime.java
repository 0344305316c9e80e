// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;

/**
 * A due time as clocks on the wall of a place show it.
 *
 * @param time what they show
 * @param zone where
 */
public record LocalDueTime(LocalDateTime time, ZoneId zone) {

    /**
     * When that is, by the rules of the zone that this JVM knows. Where clocks are set forward and never show the time, it is
     * later by as much as they are set forward: of a gap from 02:00 to 03:00, 02:30 is 03:30. Where they are set back and show
     * it twice, it is the first time.
     */
    public Instant toInstant() {
        return time.atZone(zone).toInstant();
    }

    /**
     * Reads what {@link #toString} has written.
     *
     * @throws IllegalArgumentException if it is something else, or this JVM does not know the zone
     */
    public static LocalDueTime parse(String text) {
        int zoneAt = text.indexOf('[');
        if (zoneAt < 0 || !text.endsWith("]")) {
            throw new IllegalArgumentException("not a local time and a zone in brackets");
        }
        try {
            return new LocalDueTime(
                    LocalDateTime.parse(text.substring(0, zoneAt)),
                    ZoneId.of(text.substring(zoneAt + 1, text.length() - 1)));
        } catch (DateTimeException ex) {
            throw new IllegalArgumentException("not a local time and a zone that is known here", ex);
        }
    }

    /** Such as {@code 2027-03-28T02:30[Europe/Berlin]}. */
    @Override
    public String toString() {
        return time + "[" + zone + "]";
    }
}
