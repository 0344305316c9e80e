// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import io.delayqueue.InvalidTaskException;

/** Thrown if a purge was requested without repeating the queue's name. Nothing was deleted. */
public class PurgeNotConfirmedException extends InvalidTaskException {

    public PurgeNotConfirmedException(String message) {
        super(message);
    }
}
