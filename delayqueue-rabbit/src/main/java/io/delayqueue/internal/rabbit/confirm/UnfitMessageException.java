// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

import io.delayqueue.DelayQueueException;

/** Thrown if the driver cannot encode a message. The message is the reason why the task becomes dead. */
public final class UnfitMessageException extends DelayQueueException {

    private static final long serialVersionUID = 1L;

    /** @param cause the exception of the driver; only its argument errors have a useful message */
    UnfitMessageException(RuntimeException cause) {
        super(
                "cannot be an AMQP message: "
                        + (cause instanceof IllegalArgumentException
                                ? cause.getMessage()
                                : cause.getClass().getName()),
                cause);
    }
}
