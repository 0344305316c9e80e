// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.autoconfigure;

import io.delayqueue.DelayQueueException;

/** A property of the console has a value that cannot work. The application does not start. */
final class InvalidConsoleSetupException extends DelayQueueException {

    InvalidConsoleSetupException(String message) {
        super(message);
    }
}
