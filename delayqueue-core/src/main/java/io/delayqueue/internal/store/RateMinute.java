// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Instant;
import java.util.Map;

/**
 * What all processes counted in a minute.
 *
 * @param minute when it began
 * @param counts how many by name
 */
public record RateMinute(Instant minute, Map<String, Long> counts) {}
