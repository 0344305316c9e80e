// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * Thrown if a header's name or value contains invalid characters, if its name is reserved, or if there are too many
 * headers.
 */
public class InvalidHeaderException extends InvalidTaskException {

    public InvalidHeaderException(String message) {
        super(message);
    }
}
