// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** Tasks that were to be scheduled together cannot be: too many, two of one id, or in several queues or shards. */
public class InvalidBatchException extends InvalidTaskException {

    public InvalidBatchException(String message) {
        super(message);
    }
}
