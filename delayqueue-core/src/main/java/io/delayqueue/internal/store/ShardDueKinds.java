// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;

/**
 * Live tasks of a time range that are in progress or will be retried, as far as they were read.
 *
 * @param cursor the place to continue; {@link #BEGIN} at the end
 * @param allLeases whether the first call read all leases
 * @param leased number of tasks in progress, for each slice
 * @param retried number of tasks that wait after a failed attempt, for each slice
 */
public record ShardDueKinds(String cursor, boolean allLeases, List<Long> leased, List<Long> retried) {

    /** The cursor of the first call. */
    public static final String BEGIN = "0";
}
