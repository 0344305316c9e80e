// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import org.jspecify.annotations.Nullable;

/** Redis has reached its {@code maxmemory}: nothing was stored. Draining goes on. */
public class TaskStoreFullException extends TaskStoreException {

    public TaskStoreFullException(String message, boolean mayHaveBeenApplied, @Nullable Throwable cause) {
        super(message, mayHaveBeenApplied, cause);
    }
}
