// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/**
 * Changes to tasks that were committed but have not reached the store, such as changes in an outbox. For tests that
 * wait for them. Thread-safe.
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
}
