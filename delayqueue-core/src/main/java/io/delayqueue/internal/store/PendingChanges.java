// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.function.Predicate;

/**
 * Changes to tasks that were committed but have not reached the store, such as changes in an outbox. Tests wait for
 * them, and an erasure deletes those of its tasks. Thread-safe.
 */
public interface PendingChanges {

    /** Returns the place of these changes, such as "the outbox". */
    String place();

    /**
     * Returns how many tasks have such changes, up to a few hundred. Blocks. Does not see uncommitted changes of the
     * caller's transaction.
     */
    long count();

    /** Asks for these changes to be sent to the store now. Does not wait. */
    void hurry();

    /**
     * Deletes the changes to tasks, including changes that the store has refused. Blocks.
     *
     * @param erased returns whether to delete the changes to a task or group; its argument is the id of the task, or the
     *     prefix of the ids of the group
     * @return number of deleted records
     * @throws io.delayqueue.DelayQueueException if the changes cannot be deleted
     */
    long erase(String queue, Predicate<String> erased);
}
