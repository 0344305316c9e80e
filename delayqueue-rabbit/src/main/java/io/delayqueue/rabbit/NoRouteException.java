// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.DelayQueueException;

/** A trigger did not say where one task is to go. The message names the method, and nothing that it said itself. */
final class NoRouteException extends DelayQueueException {

    private static final long serialVersionUID = 1L;

    NoRouteException(String message) {
        super(message);
    }

    NoRouteException(String message, Throwable cause) {
        super(message, cause);
    }
}
