// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;

/**
 * Live tasks of a window that are under delivery or tried again, as far as was looked.
 *
 * @param cursor where to go on; {@link #BEGIN} at the end
 * @param allLeases whether all leases were looked at, by the call that began
 * @param leased for each slice those under delivery
 * @param retried for each slice those that wait after a failed attempt
 */
public record ShardDueKinds(String cursor, boolean allLeases, List<Long> leased, List<Long> retried) {

    /** Where a first call begins. */
    public static final String BEGIN = "0";
}
