// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import java.time.Instant;
import java.util.List;

/**
 * The reasons of a queue's dead tasks.
 *
 * @param reasons the reasons, most frequent first
 * @param kinds the same reasons by kind; reasons of one kind differ only in numbers, ids or quoted text
 * @param looked number of dead tasks read
 * @param all whether all dead tasks were read
 */
public record DeadReasons(List<Reason> reasons, List<Kind> kinds, long looked, boolean all) {

    /**
     * A reason and the number of dead tasks that have it.
     *
     * @param reason text of the failure; empty if there is none
     * @param count number of tasks
     * @param firstAt time of the first death
     * @param lastAt time of the last death
     */
    public record Reason(String reason, long count, Instant firstAt, Instant lastAt) {}

    /**
     * A kind of reason and the dead tasks that have such a reason.
     *
     * @param kind the common text, such as "Read timed out after ‹n› ms"; empty if there is no reason
     * @param count number of tasks
     * @param reasons number of different reasons
     * @param example one of the reasons
     * @param firstAt time of the first death
     * @param lastAt time of the last death
     * @param overTime number of deaths in each of twenty equal intervals between the first and the last death of any
     *     kind
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
