// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** A task id, key or group is blank, too long, or has a control character or another one that breaks or reorders a line. */
public class InvalidTaskIdException extends InvalidTaskException {

    public InvalidTaskIdException(String message) {
        super(message);
    }
}
