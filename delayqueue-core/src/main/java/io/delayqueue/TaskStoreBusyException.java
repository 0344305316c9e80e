// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import org.jspecify.annotations.Nullable;

/**
 * More calls are under way than may be: asynchronous ones that wait for their answers, or commands on the connection to
 * Redis, which may be well. The call was not sent, unless {@link #mayHaveBeenApplied()} says that a part of it was.
 * Make fewer calls at a time, or wait for some of them, then make it again.
 */
public class TaskStoreBusyException extends TaskStoreException {

    public TaskStoreBusyException(String message) {
        this(message, false, null);
    }

    public TaskStoreBusyException(String message, boolean mayHaveBeenApplied, @Nullable Throwable cause) {
        super(message, mayHaveBeenApplied, cause);
    }
}
