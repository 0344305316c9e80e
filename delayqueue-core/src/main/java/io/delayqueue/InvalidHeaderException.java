// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * A header's name or value has characters that may not be there, takes a reserved name, or there are too many of them.
 */
public class InvalidHeaderException extends InvalidTaskException {

    public InvalidHeaderException(String message) {
        super(message);
    }
}
