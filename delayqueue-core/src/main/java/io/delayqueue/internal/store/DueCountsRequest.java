// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;
import java.time.Instant;

/**
 * The time range over which live tasks are counted, in slices of equal width.
 *
 * @param from start of the first slice
 * @param width width of a slice, in whole milliseconds
 * @param slices 1 to {@link TaskStore#MAX_BATCH}
 */
public record DueCountsRequest(Instant from, Duration width, int slices) {}
