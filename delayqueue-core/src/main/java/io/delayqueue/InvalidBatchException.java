// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * Tasks cannot be scheduled together: there are too many, two have the same id, or they belong to several queues or
 * shards.
 */
public class InvalidBatchException extends InvalidTaskException {

    public InvalidBatchException(String message) {
        super(message);
    }
}
