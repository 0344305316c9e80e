// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import org.jspecify.annotations.Nullable;

/**
 * Redis did not carry out a call. {@link #mayHaveBeenApplied()} tells whether it may nevertheless have run: then the
 * same request, sent again through the same request object, is answered as if for the first time and stores nothing
 * twice, as long as the task is stored. (If it was delivered in the meantime, it is stored anew and delivered twice.)
 */
public class TaskStoreException extends DelayQueueException {

    private final boolean mayHaveBeenApplied;

    public TaskStoreException(String message, boolean mayHaveBeenApplied, @Nullable Throwable cause) {
        super(message, cause);
        this.mayHaveBeenApplied = mayHaveBeenApplied;
    }

    /** False: nothing was changed, for certain. True: the call was sent and its answer is not known. */
    public boolean mayHaveBeenApplied() {
        return mayHaveBeenApplied;
    }
}
