// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a call to Redis failed. {@link #mayHaveBeenApplied()} returns whether Redis may still have executed it. In
 * this case, repeat the call with the same request object: if the task is still stored, the call returns the original
 * result and stores nothing. If the task was delivered in the meantime, it is stored and delivered again.
 */
public class TaskStoreException extends DelayQueueException {

    private final boolean mayHaveBeenApplied;

    public TaskStoreException(String message, boolean mayHaveBeenApplied, @Nullable Throwable cause) {
        super(message, cause);
        this.mayHaveBeenApplied = mayHaveBeenApplied;
    }

    /** Returns {@code false} if nothing was changed, or {@code true} if the call was sent and its result is unknown. */
    public boolean mayHaveBeenApplied() {
        return mayHaveBeenApplied;
    }
}
