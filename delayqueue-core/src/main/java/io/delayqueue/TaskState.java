// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** The state of a stored task. */
public enum TaskState {
    /** Waiting for its due time or for a retry. */
    SCHEDULED,
    /** Leased to a trigger. A delivery is in progress, or its process died and the lease has not expired yet. */
    LEASED,
    /** Has failed and is not retried. It is kept with the reason. It is delivered only if an operator redrives it. */
    DEAD
}
