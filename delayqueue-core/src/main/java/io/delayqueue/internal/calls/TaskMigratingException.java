// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.TaskStoreException;
import org.jspecify.annotations.Nullable;

/** Thrown if a task of the call is migrating to another shard, which takes milliseconds. Nothing was changed. */
public class TaskMigratingException extends TaskStoreException {

    public TaskMigratingException(String message, @Nullable Throwable cause) {
        super(message, false, cause);
    }
}
