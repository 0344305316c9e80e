// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * What all processes have counted of a queue, minute by minute by the store's clock, for a day. Calls, threads and failures are
 * as those of {@link TaskStore}; an addition that may have run must not be made again.
 */
public interface RateStore {

    /** Adds to the present minute: how many by name. */
    CompletableFuture<Void> add(String queue, Map<String, Long> counts);

    /**
     * Reads the minutes that begin at {@code from} or later and before {@code until}, without those in which nothing was
     * counted. Of more than a day the first one is read.
     */
    CompletableFuture<List<RateMinute>> minutes(String queue, Instant from, Instant until);
}
