// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import java.time.Instant;
import java.util.List;

/**
 * A process that delivers queues, as it noted itself in the last minutes.
 *
 * @param process its name: process id and host
 * @param version version of the application; empty if unknown
 * @param since when it started
 * @param notedAt when it noted this, by its own clock
 * @param queues the queues that it delivers and the caller may read
 * @param inProgress number of deliveries in progress at that moment, of all queues
 * @param perMinute number of deliveries that ended in the minute before, of all queues
 */
public record InstanceView(
        String process,
        String version,
        Instant since,
        Instant notedAt,
        List<String> queues,
        long inProgress,
        long perMinute) {}
