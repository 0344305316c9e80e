// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;

/**
 * Counts of live tasks in a time range that are in progress or wait for a retry, up to the cursor.
 *
 * @param cursor cursor for the next call; {@link #BEGIN} at the end
 * @param allLeases whether the first call read all leases
 * @param leased number of tasks in progress, for each slice
 * @param retried number of tasks that wait after a failed attempt, for each slice
 */
public record ShardDueKinds(String cursor, boolean allLeases, List<Long> leased, List<Long> retried) {

    /** The cursor of the first call. */
    public static final String BEGIN = "0";
}
