// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What all processes have counted of a queue, minute by minute, for a day at most. Minutes are those of the store's clock. Calls,
 * threads and failures are as those of {@link TaskStore}; an addition that may have run must not be made again.
 */
public interface RateStore {

    /** How long minutes can be kept. */
    Duration LONGEST = Duration.ofMinutes(1439);

    /** Keeps nothing. */
    RateStore NONE = new RateStore() {

        @Override
        public CompletableFuture<Instant> add(String queue, Duration kept, RateCounts counts) {
            return CompletableFuture.completedFuture(Instant.EPOCH);
        }

        @Override
        public CompletableFuture<List<RateMinute>> minutes(String queue, Instant from, Instant until) {
            return CompletableFuture.completedFuture(List.of());
        }
    };

    /**
     * Adds to the minute that it is now.
     *
     * @param kept for how long it is kept, {@link #LONGEST} at most; whoever says least decides
     * @return the minute
     */
    CompletableFuture<Instant> add(String queue, Duration kept, RateCounts counts);

    /**
     * Reads the minutes that begin at {@code from} or later and before {@code until}, without those in which nothing was
     * counted. Of more than a day the first one is read.
     */
    CompletableFuture<List<RateMinute>> minutes(String queue, Instant from, Instant until);

    /** How many tasks this process has stored in a queue since it started. */
    default long scheduled(String queue) {
        return 0;
    }
}
