// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import io.delayqueue.DelayQueueException;

/**
 * Thrown if the number of shards of a queue was not changed: it is out of range, or too many changes are in progress.
 */
public class ReshardException extends DelayQueueException {

    public ReshardException(String message) {
        super(message);
    }
}
