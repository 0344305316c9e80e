// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * A task id, key or group is blank, too long, or contains a control character or a character that breaks or reorders a
 * line.
 */
public class InvalidTaskIdException extends InvalidTaskException {

    public InvalidTaskIdException(String message) {
        super(message);
    }
}
