// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if too many calls are in progress: asynchronous calls that await replies, or commands on a connection to
 * Redis. Redis itself may be healthy. The call was not sent, unless {@link #mayHaveBeenApplied()} indicates that a part
 * of it was sent. Make fewer concurrent calls, or wait for some to complete, and repeat the call.
 */
public class TaskStoreBusyException extends TaskStoreException {

    public TaskStoreBusyException(String message, boolean mayHaveBeenApplied, @Nullable Throwable cause) {
        super(message, mayHaveBeenApplied, cause);
    }
}
