// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import org.jspecify.annotations.Nullable;

/** Thrown if Redis did not reply in time. */
public class TaskStoreTimeoutException extends TaskStoreException {

    public TaskStoreTimeoutException(String message, boolean mayHaveBeenApplied, @Nullable Throwable cause) {
        super(message, mayHaveBeenApplied, cause);
    }
}
