// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/**
 * Changes of tasks that were committed somewhere and have not reached the store yet, such as those in an outbox. For tests
 * that wait for them. Safe for use by many threads.
 */
public interface PendingChanges {

    /** Where they are, as in "the outbox". */
    String place();

    /** How many tasks have some, at most a few hundred. Blocks; sees nothing of a transaction that the caller has open. */
    long count();

    /** Has them brought to the store now. Does not wait for that. */
    void hurry();
}
