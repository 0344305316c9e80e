// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import org.jspecify.annotations.Nullable;

/** A key of the queue holds something this version cannot work with: another type, or a newer format. */
public class TaskStoreCorruptException extends TaskStoreException {

    public TaskStoreCorruptException(String message, boolean mayHaveBeenApplied, @Nullable Throwable cause) {
        super(message, mayHaveBeenApplied, cause);
    }
}
