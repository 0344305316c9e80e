// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** What became of a request to schedule. */
public enum ScheduleOutcome {
    /** The id was new. */
    CREATED,
    /** A task with this id was waiting, no delivery of it was in progress, and it was replaced. */
    REPLACED,
    /**
     * A live task with this id was replaced, but a delivery of the old one had begun and its end is not known:
     * the destination may still see the old payload.
     */
    REPLACED_IN_FLIGHT,
    /**
     * A task with this id was dead and was replaced, so it can no longer be redriven. If its last lease expired, that delivery
     * may still be in progress.
     */
    REPLACED_DEAD,
    /** A task with this id was there and the {@link ConflictPolicy} let it stay. Nothing was changed. */
    KEPT,
    /**
     * The call was made within a transaction, and nothing has happened yet: the task is scheduled with the commit, and never if the
     * transaction rolls back ({@code delayqueue.transactions}).
     */
    DEFERRED
}
