// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * A queue name is not of the form {@code [A-Za-z0-9][A-Za-z0-9._-]{0,63}}, or a request names another queue than the {@link
 * TypedQueue} that it was given to.
 */
public class InvalidQueueNameException extends InvalidTaskException {

    public InvalidQueueNameException(String message) {
        super(message);
    }
}
