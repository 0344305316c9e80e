// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/** The result of renewing one lease. */
public enum Renewal {

    /** The lease is no longer the caller's; nothing was changed. */
    LOST,

    /** The lease is the caller's, and its task is unchanged. */
    HELD,

    /**
     * The lease is the caller's, but in the meantime a task was scheduled with its id, or its task was rescheduled, and
     * waits for the end of the lease. A running delivery may continue; one that has not started should not start.
     */
    HELD_WHILE_ANOTHER_WAITS;

    public boolean isHeld() {
        return this != LOST;
    }
}
