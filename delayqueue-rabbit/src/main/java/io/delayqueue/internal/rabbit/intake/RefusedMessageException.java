// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.intake;

import io.delayqueue.DelayQueueException;

/** A message asks for something that cannot be done. The text is the reason that the rejected message carries. */
final class RefusedMessageException extends DelayQueueException {

    private static final long serialVersionUID = 1L;

    RefusedMessageException(String reason) {
        super(reason);
    }
}
