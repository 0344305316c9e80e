// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** Thrown if a task's delivery hours never come or their calendar is unknown. */
public final class InvalidWindowException extends InvalidTaskException {

    private static final long serialVersionUID = 1L;

    public InvalidWindowException(String message, Throwable cause) {
        super(message, cause);
    }
}
