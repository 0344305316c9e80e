// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.DelayQueueException;

/** Code of the application kept one task from being made a message. The message names that code, and nothing it said. */
final class NoMessageException extends DelayQueueException {

    private static final long serialVersionUID = 1L;

    NoMessageException(String message, Throwable cause) {
        super(message, cause);
    }
}
