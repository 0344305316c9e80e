// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** A task cannot be due in its hours, as they never come or their calendar is not known. */
public final class InvalidWindowException extends InvalidTaskException {

    private static final long serialVersionUID = 1L;

    public InvalidWindowException(String message, Throwable cause) {
        super(message, cause);
    }
}
