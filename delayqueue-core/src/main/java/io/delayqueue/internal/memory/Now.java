// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.DueTime;
import io.delayqueue.DueTimeOutOfRangeException;
import java.time.Instant;
import java.time.InstantSource;

/**
 * What the clock says during one call.
 *
 * @param micros microseconds since the epoch
 */
record Now(long micros) {

    static Now of(InstantSource clock) {
        Instant instant = clock.instant();
        return new Now(instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000);
    }

    long millis() {
        return Math.floorDiv(micros, 1_000L);
    }

    /** The first whole millisecond at which so many have passed; at once if there is nothing to wait for. */
    long after(long delayMillis) {
        return delayMillis > 0 ? -Math.floorDiv(-micros, 1_000L) + delayMillis : millis();
    }

    /** @throws DueTimeOutOfRangeException if a delay reaches beyond the year 9999 */
    long due(DueTime due) {
        return checked(due.relative() ? after(due.millis()) : due.millis());
    }

    /** @throws DueTimeOutOfRangeException if the moment lies beyond the year 9999 */
    static long checked(long moment) {
        if (moment > DueTime.MAX_EPOCH_MILLIS) {
            throw new DueTimeOutOfRangeException("The due time lies after the year 9999. Give an earlier one");
        }
        return moment;
    }
}
