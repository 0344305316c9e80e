// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import org.jspecify.annotations.Nullable;

/** Thrown if Redis cannot be reached, is loading, is a replica, or belongs to a cluster that is down. */
public class TaskStoreUnavailableException extends TaskStoreException {

    public TaskStoreUnavailableException(String message, boolean mayHaveBeenApplied, @Nullable Throwable cause) {
        super(message, mayHaveBeenApplied, cause);
    }
}
