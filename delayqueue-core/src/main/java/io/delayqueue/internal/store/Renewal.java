// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/** The result of renewing one lease. */
public enum Renewal {

    /** The caller no longer has the lease; nothing was changed. */
    LOST,

    /** The caller has the lease, and no change waits for its end. */
    HELD,

    /**
     * The caller has the lease, but a task was scheduled with the same id or the task was rescheduled, which takes
     * effect when the lease ends. A running delivery may continue; a delivery that has not started should not start.
     */
    HELD_WHILE_ANOTHER_WAITS;

    public boolean isHeld() {
        return this != LOST;
    }
}
