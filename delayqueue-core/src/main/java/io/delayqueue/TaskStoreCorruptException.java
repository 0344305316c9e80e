// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import org.jspecify.annotations.Nullable;

/** Thrown if a key of the queue contains data that this version cannot read: another type or a newer format. */
public class TaskStoreCorruptException extends TaskStoreException {

    public TaskStoreCorruptException(String message, boolean mayHaveBeenApplied, @Nullable Throwable cause) {
        super(message, mayHaveBeenApplied, cause);
    }
}
