// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.autoconfigure;

import io.delayqueue.DelayQueueException;

/** Thrown if a property of the console has an invalid value. The application does not start. */
final class InvalidConsoleSetupException extends DelayQueueException {

    InvalidConsoleSetupException(String message) {
        super(message);
    }
}
