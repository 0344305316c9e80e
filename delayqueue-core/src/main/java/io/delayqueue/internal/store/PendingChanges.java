// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.function.LongConsumer;

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
     * Deletes the changes to tasks, including changes that the store has refused. Blocks.
     *
     * @param idPrefix prefix of the tasks' ids and of the groups' id prefixes; empty for all tasks
     * @param deleted receives numbers of deleted records, also before a failure
     * @throws io.delayqueue.DelayQueueException if the changes cannot be deleted
     */
    void erase(String queue, String idPrefix, LongConsumer deleted);
}
