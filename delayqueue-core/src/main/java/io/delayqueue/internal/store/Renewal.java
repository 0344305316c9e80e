// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/** What became of one lease that was to be renewed. */
public enum Renewal {

    /** The lease is no longer the caller's; nothing was changed. */
    LOST,

    /** The lease is the caller's, and its task is still the one that was acquired. */
    HELD,

    /**
     * The lease is the caller's, but meanwhile a task was scheduled under its id, or its task was rescheduled, and waits
     * until the lease has ended. A delivery that runs may go on; one that has not begun should not begin.
     */
    HELD_WHILE_ANOTHER_WAITS;

    /** Whether the lease is the caller's. */
    public boolean isHeld() {
        return this != LOST;
    }
}
