// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

import io.delayqueue.DelayQueueException;

/** The driver cannot make frames of a message. The text is the reason of the rejected task. */
public final class UnfitMessageException extends DelayQueueException {

    private static final long serialVersionUID = 1L;

    /** @param cause thrown by the driver; only its refusals of arguments have a text of use */
    UnfitMessageException(RuntimeException cause) {
        super(
                "cannot be an AMQP message: "
                        + (cause instanceof IllegalArgumentException
                                ? cause.getMessage()
                                : cause.getClass().getName()),
                cause);
    }
}
