// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.trigger;

import io.delayqueue.DelayQueueException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if application code failed to create a message. The exception's message is the reason of the failed attempt:
 * it names the code, but does not include what the code threw or returned.
 */
public final class NoMessageException extends DelayQueueException {

    private static final long serialVersionUID = 1L;

    public NoMessageException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
