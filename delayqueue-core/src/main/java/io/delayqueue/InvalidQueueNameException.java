// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * Thrown if a queue name is not of the form {@code [A-Za-z0-9][A-Za-z0-9._-]{0,63}}, or if a request names another
 * queue than its {@link TypedQueue}.
 */
public class InvalidQueueNameException extends InvalidTaskException {

    public InvalidQueueNameException(String message) {
        super(message);
    }
}
