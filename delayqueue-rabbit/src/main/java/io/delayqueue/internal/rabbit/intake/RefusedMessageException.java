// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.intake;

import io.delayqueue.DelayQueueException;

/**
 * Thrown if a message makes an invalid request. The exception's message is stored in a header of the rejected message.
 */
final class RefusedMessageException extends DelayQueueException {

    private static final long serialVersionUID = 1L;

    RefusedMessageException(String reason) {
        super(reason);
    }
}
