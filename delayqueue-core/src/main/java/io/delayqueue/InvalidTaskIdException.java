// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** A task id, key or group is empty, too long, or has other than printable ASCII characters (space not included). */
public class InvalidTaskIdException extends InvalidTaskException {

    public InvalidTaskIdException(String message) {
        super(message);
    }
}
