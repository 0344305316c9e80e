// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import java.time.Instant;
import java.util.List;

/**
 * Why the dead tasks of a queue died.
 *
 * @param reasons the most frequent first
 * @param looked at how many dead tasks
 * @param all whether those are all
 */
public record DeadReasons(List<Reason> reasons, long looked, boolean all) {

    /**
     * A reason and the tasks that died of it.
     *
     * @param reason the failure's own words; empty where there are none
     * @param count how many
     * @param firstAt when the first of them died
     * @param lastAt when the last of them died
     */
    public record Reason(String reason, long count, Instant firstAt, Instant lastAt) {}
}
