// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Counts of a queue's live tasks by the time of their next event: the due time, the next retry, or the end of the
 * lease. Each shard is counted atomically, one shard after another.
 *
 * @param from start of the first slice
 * @param width width of each slice
 * @param earlier number of tasks before the first slice
 * @param counts number of tasks in each slice, including its first moment and excluding its last
 * @param later number of tasks after the last slice
 */
public record DueCounts(Instant from, Duration width, long earlier, List<Long> counts, long later) {

    public DueCounts {
        counts = List.copyOf(counts);
    }
}
