// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Instant;
import java.util.Map;

/**
 * The counts of all processes in one minute.
 *
 * @param minute its start
 * @param counts counts by name
 */
public record RateMinute(Instant minute, Map<String, Long> counts) {}
