// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Instant;

/**
 * What all processes counted in a minute.
 *
 * @param minute when it began
 */
public record RateMinute(Instant minute, RateCounts counts) {}
