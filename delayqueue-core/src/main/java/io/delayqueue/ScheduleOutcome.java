// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** The result of a request to schedule a task. */
public enum ScheduleOutcome {
    /** The id was new. */
    CREATED,
    /** A waiting task with this id, without a delivery in progress, was replaced. */
    REPLACED,
    /**
     * A live task with this id was replaced. Its delivery had started and may still be in progress, so the destination
     * may still receive the old payload.
     */
    REPLACED_IN_FLIGHT,
    /**
     * A dead task with this id was replaced and can no longer be redriven. If its last lease expired, that delivery may
     * still be in progress.
     */
    REPLACED_DEAD,
    /** A task with this id exists, and the {@link ConflictPolicy} kept it. Nothing was changed. */
    KEPT,
    /**
     * The call was made within a transaction and has not run yet. The commit schedules the task; a rollback does not
     * ({@code delayqueue.transactions}).
     */
    DEFERRED
}
