// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import org.jspecify.annotations.Nullable;

/** A test server could not be had, started or commanded. The message says what is missing and what to do. */
public class TestServerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public TestServerException(String message) {
        super(message);
    }

    public TestServerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
