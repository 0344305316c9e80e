// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if too many calls are in progress: asynchronous calls that await replies, or commands on the connection to
 * Redis, which may be healthy. The call was not sent, unless {@link #mayHaveBeenApplied()} says that part of it was.
 * Make fewer concurrent calls, or wait for some to complete, then repeat it.
 */
public class TaskStoreBusyException extends TaskStoreException {

    public TaskStoreBusyException(String message, boolean mayHaveBeenApplied, @Nullable Throwable cause) {
        super(message, mayHaveBeenApplied, cause);
    }
}
