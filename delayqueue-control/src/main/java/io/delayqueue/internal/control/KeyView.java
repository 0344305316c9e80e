// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The run-time settings of a key, and its held-back tasks.
 *
 * @param interval minimum time between two tasks of the key; null for the configured rate
 * @param burst number of tasks of the key that may be delivered without a pause; null if the rate has no burst
 * @param concurrency maximum number of deliveries in progress; null for the configured number
 * @param closedUntil end of the closure; null if the key is open
 * @param waiting number of tasks that wait because the key is over a limit or closed
 * @param nextTurn when the next of them may be delivered; null if none is waiting
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
