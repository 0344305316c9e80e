// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How many files are made at once by this process: four at most. A place from which nothing was taken for a minute, such as that
 * of a browser that is gone or does not read, is given to the next who wants one. Safe for use by many threads.
 */
final class ExportPlaces {

    static final int MOST = 4;
    static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanos;
    private final Set<Place> taken = new HashSet<>();

    /** @param nanos as of {@link System#nanoTime} */
    ExportPlaces(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** @throws TooManyExportsException where all are taken */
    synchronized Place take() {
        if (taken.size() >= MOST) {
            long now = nanos.getAsLong();
            taken.removeIf(place -> now - place.usedAt > IDLE_NANOS);
        }
        if (taken.size() >= MOST) {
            throw new TooManyExportsException(
                    "This process makes " + MOST + " files already, which is as many as it makes at once");
        }
        Place place = new Place(nanos.getAsLong());
        taken.add(place);
        return place;
    }

    private synchronized boolean use(Place place) {
        place.usedAt = nanos.getAsLong();
        return taken.contains(place);
    }

    private synchronized void leave(Place place) {
        taken.remove(place);
    }

    /** Of one file. */
    final class Place {

        private long usedAt;

        private Place(long usedAt) {
            this.usedAt = usedAt;
        }

        /** @throws TooManyExportsException where it was given to somebody else meanwhile */
        void use() {
            if (!ExportPlaces.this.use(this)) {
                throw new TooManyExportsException("Nobody took anything of the file for a minute, and others wait");
            }
        }

        void leave() {
            ExportPlaces.this.leave(this);
        }
    }
}
