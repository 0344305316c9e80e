// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

import io.delayqueue.DelayQueueException;

/** Thrown if the driver cannot encode a message. The exception's message becomes the reason of the dead task. */
public final class UnfitMessageException extends DelayQueueException {

    private static final long serialVersionUID = 1L;

    /** @param cause exception from the driver; only its argument errors have a useful message */
    UnfitMessageException(RuntimeException cause) {
        super(
                "cannot be an AMQP message: "
                        + (cause instanceof IllegalArgumentException
                                ? cause.getMessage()
                                : cause.getClass().getName()),
                cause);
    }
}
