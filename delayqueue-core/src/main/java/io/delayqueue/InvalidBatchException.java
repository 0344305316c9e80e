// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** Tasks that were to be scheduled together cannot be: too many, of several queues or shard keys, or two of one id. */
public class InvalidBatchException extends InvalidTaskException {

    public InvalidBatchException(String message) {
        super(message);
    }
}
