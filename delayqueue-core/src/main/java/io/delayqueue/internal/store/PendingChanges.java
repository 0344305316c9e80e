// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.function.LongPredicate;

/**
 * Committed changes to tasks that have not reached the store yet, for example because they are in an outbox. Tests wait
 * for them. An erasure deletes the changes to the tasks that it erases. Thread-safe.
 */
public interface PendingChanges {

    /** Returns where these changes are, for example "the outbox". */
    String place();

    /**
     * Returns the number of tasks with such changes, counted up to a few hundred. Blocks. Does not see uncommitted
     * changes of the caller's transaction.
     */
    long count();

    /** Asks for these changes to be sent to the store now. Does not wait. */
    void hurry();

    /**
     * Deletes the changes to tasks, including changes that the store has refused. Passes once over all changes, so it
     * ends even if the application commits others all the time. It may leave or delete these. Blocks.
     *
     * @param idPrefix prefix of the tasks' ids and of the groups' id prefixes; empty for all tasks
     * @param goesOn receives numbers of deleted records, also before a failure, and returns whether to continue
     * @return whether all are deleted
     * @throws io.delayqueue.DelayQueueException if the changes cannot be deleted
     */
    boolean erase(String queue, String idPrefix, LongPredicate goesOn);
}
