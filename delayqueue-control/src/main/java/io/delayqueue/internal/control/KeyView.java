// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The run-time settings of a key, and its held-back tasks.
 *
 * @param interval time from one task of the key to the next; null for the configured rate
 * @param burst how many tasks of the key may be delivered without a pause between them; null if the rate has no burst
 * @param concurrency maximum number of deliveries in progress; null for the configured number
 * @param closedUntil end of the closure; null if the key is open
 * @param waiting number of tasks that wait because the key is over a limit or closed
 * @param nextTurn when the next of them may be delivered; null if none waits
 */
public record KeyView(
        String queue,
        String key,
        @Nullable Duration interval,
        @Nullable Integer burst,
        @Nullable Integer concurrency,
        @Nullable Instant closedUntil,
        long waiting,
        @Nullable Instant nextTurn) {}
