// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** A due time lies before the epoch, after the year 9999, or not before the latest moment of its task. */
public class DueTimeOutOfRangeException extends InvalidTaskException {

    public DueTimeOutOfRangeException(String message) {
        super(message);
    }
}
