// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process that delivers queues, from the report that it wrote a few seconds ago.
 *
 * @param process name of the process, with process id and host
 * @param version version of the application; empty if unknown
 * @param since time when it started
 * @param notedAt time of the report, by the clock of the process
 * @param queues the queues that it delivers and the caller may read
 * @param inProgress number of deliveries in progress at that time; null if the caller may not read all its queues
 * @param perMinute number of deliveries per minute that have ended since the previous report; null in the same case as
 *     {@code inProgress}
 * @param workers maximum number of batches that it delivers at a time; null in the same case
 * @param busy number of batches that it was delivering at that time; null in the same case
 */
public record InstanceView(
        String process,
        String version,
        Instant since,
        Instant notedAt,
        List<String> queues,
        @Nullable Long inProgress,
        @Nullable Long perMinute,
        @Nullable Long workers,
        @Nullable Long busy) {}
