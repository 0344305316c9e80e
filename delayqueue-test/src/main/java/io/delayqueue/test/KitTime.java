// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.internal.store.QueueClock;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** The clock of a context's queues. It starts at its creation time and advances only when told to. */
final class KitTime implements QueueClock {

    private volatile Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    @Override
    public Instant standstill() {
        return now;
    }

    @Override
    public Instant now() {
        return now;
    }

    /** @param moment the new time, in whole milliseconds; not before now */
    void moveTo(Instant moment) {
        now = moment;
    }

    /** Returns the same time as an application clock in UTC. */
    Clock clock() {
        return new KitClock(ZoneOffset.UTC);
    }

    private final class KitClock extends Clock {

        private final ZoneId zone;

        KitClock(ZoneId zone) {
            this.zone = zone;
        }

        @Override
        public ZoneId getZone() {
            return zone;
        }

        @Override
        public Clock withZone(ZoneId other) {
            return new KitClock(other);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public String toString() {
            return "DelayQueueTestKit.clock()[" + now + ", " + zone + "]";
        }
    }
}
