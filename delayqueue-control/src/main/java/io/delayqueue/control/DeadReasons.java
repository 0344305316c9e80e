// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import java.time.Instant;
import java.util.List;

/**
 * Why the dead tasks of a queue died.
 *
 * @param reasons the most frequent first
 * @param kinds the same, where reasons that differ in numbers, ids or quoted text only are one kind
 * @param looked at how many dead tasks
 * @param all whether those are all
 */
public record DeadReasons(List<Reason> reasons, List<Kind> kinds, long looked, boolean all) {

    /**
     * A reason and the tasks that died of it.
     *
     * @param reason the failure's own words; empty where there are none
     * @param count how many
     * @param firstAt when the first of them died
     * @param lastAt when the last of them died
     */
    public record Reason(String reason, long count, Instant firstAt, Instant lastAt) {}

    /**
     * A kind of reasons and the tasks that died of them.
     *
     * @param kind the common text, such as "Read timed out after ‹n› ms"; empty for no reason
     * @param count number of tasks
     * @param reasons number of different reasons
     * @param example one of the reasons
     * @param firstAt when the first task died
     * @param lastAt when the last task died
     * @param overTime number of deaths in each twentieth of the time between the first and the last death of any kind
     */
    public record Kind(
            String kind,
            long count,
            long reasons,
            String example,
            Instant firstAt,
            Instant lastAt,
            List<Long> overTime) {}
}
