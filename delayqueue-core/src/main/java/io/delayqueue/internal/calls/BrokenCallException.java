// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.calls;

import io.delayqueue.TaskStoreException;

/**
 * Thrown if a call failed in this process, for example because no memory or thread was available. The server may be
 * healthy.
 */
public class BrokenCallException extends TaskStoreException {

    public BrokenCallException(String message, boolean mayHaveBeenApplied, Throwable cause) {
        super(message, mayHaveBeenApplied, cause);
    }
}
