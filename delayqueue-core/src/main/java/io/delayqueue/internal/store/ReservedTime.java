// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/**
 * A reserved time span, in microseconds since the epoch.
 *
 * @param start its start: now, or the end of earlier reservations
 * @param now the clock of the server that keeps the reservations
 */
public record ReservedTime(long start, long now) {}
