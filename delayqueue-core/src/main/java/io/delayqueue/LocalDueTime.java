// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;

/**
 * A due time as local time in a time zone.
 *
 * @param time the local time
 * @param zone the time zone
 */
public record LocalDueTime(LocalDateTime time, ZoneId zone) {

    /**
     * Returns the corresponding instant by this JVM's zone rules. If the clocks are set forward and skip the time, it
     * moves by the length of the gap: with a gap from 02:00 to 03:00, 02:30 becomes 03:30. If the clocks are set back
     * and repeat the time, the first occurrence counts.
     */
    public Instant toInstant() {
        return time.atZone(zone).toInstant();
    }

    /**
     * Parses the output of {@link #toString}.
     *
     * @throws IllegalArgumentException if the text is invalid or this JVM does not know the zone
     */
    public static LocalDueTime parse(String text) {
        int zoneAt = text.indexOf('[');
        if (zoneAt < 0 || !text.endsWith("]")) {
            throw new IllegalArgumentException("a local due time needs a zone in brackets");
        }
        try {
            return new LocalDueTime(
                    LocalDateTime.parse(text.substring(0, zoneAt)),
                    ZoneId.of(text.substring(zoneAt + 1, text.length() - 1)));
        } catch (DateTimeException ex) {
            throw new IllegalArgumentException("invalid local time or unknown zone", ex);
        }
    }

    /** Returns text such as {@code 2027-03-28T02:30[Europe/Berlin]}. */
    @Override
    public String toString() {
        return time + "[" + zone + "]";
    }
}
