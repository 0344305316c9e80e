// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/**
 * The limits of an acquire for each key.
 *
 * @param intervalMicros the time from one task of a key to the next; 0 for no rate
 * @param concurrency deliveries of a key in progress; 0 for no limit
 */
public record KeyLimits(long intervalMicros, int concurrency) {

    /** No limits: tasks that were put aside under earlier limits may be acquired. */
    public static final KeyLimits NONE = new KeyLimits(0, 0);
}
