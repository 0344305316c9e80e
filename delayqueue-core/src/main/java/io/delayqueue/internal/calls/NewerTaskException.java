// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.TaskStoreCorruptException;
import org.jspecify.annotations.Nullable;

/** Thrown if a newer version of this library wrote the records of one task. Calls for other tasks can succeed. */
public class NewerTaskException extends TaskStoreCorruptException {

    public NewerTaskException(String message, boolean mayHaveBeenApplied, @Nullable Throwable cause) {
        super(message, mayHaveBeenApplied, cause);
    }
}
