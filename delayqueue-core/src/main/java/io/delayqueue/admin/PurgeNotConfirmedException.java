// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import io.delayqueue.InvalidTaskException;

/** A purge was asked for without the queue's name being given a second time. Nothing was deleted. */
public class PurgeNotConfirmedException extends InvalidTaskException {

    public PurgeNotConfirmedException(String message) {
        super(message);
    }
}
