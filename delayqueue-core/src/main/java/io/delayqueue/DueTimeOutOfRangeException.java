// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** A due time lies before the epoch or after the year 9999. */
public class DueTimeOutOfRangeException extends InvalidTaskException {

    public DueTimeOutOfRangeException(String message) {
        super(message);
    }
}
