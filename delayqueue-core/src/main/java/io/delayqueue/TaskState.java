// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** Where a stored task stands. */
public enum TaskState {
    /** Waiting for its due time, or for the next attempt after a failed one. */
    SCHEDULED,
    /**
     * Handed to a trigger under a lease; a delivery is under way, or its process died and the lease has yet to expire.
     */
    LEASED,
    /** Given up, and kept with the reason. It will not be delivered unless someone redrives it. */
    DEAD
}
