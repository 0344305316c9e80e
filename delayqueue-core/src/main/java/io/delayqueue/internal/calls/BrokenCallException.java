// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.TaskStoreException;

/** A call failed in this process, as for want of memory or of a thread. It says nothing about the server. */
public class BrokenCallException extends TaskStoreException {

    public BrokenCallException(String message, boolean mayHaveBeenApplied, Throwable cause) {
        super(message, mayHaveBeenApplied, cause);
    }
}
