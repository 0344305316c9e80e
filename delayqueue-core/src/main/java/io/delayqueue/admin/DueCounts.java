// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How many live tasks of a queue need attention when: are due or tried next, or see their lease end. Each shard is counted in
 * one step, the shards one after the other.
 *
 * @param from when the first slice begins
 * @param width of each slice
 * @param earlier tasks before the first slice
 * @param counts for each slice, its first moment counted and its last not
 * @param later tasks behind the last slice
 */
public record DueCounts(Instant from, Duration width, long earlier, List<Long> counts, long later) {

    public DueCounts {
        counts = List.copyOf(counts);
    }
}
