// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import org.jspecify.annotations.Nullable;

/** Thrown if Redis has reached its {@code maxmemory}. Nothing was stored. Deliveries continue. */
public class TaskStoreFullException extends TaskStoreException {

    public TaskStoreFullException(String message, boolean mayHaveBeenApplied, @Nullable Throwable cause) {
        super(message, mayHaveBeenApplied, cause);
    }
}
