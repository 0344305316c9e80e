// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a test server is missing, does not start or does not react to a signal. The message explains the solution.
 */
final class TestServerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    TestServerException(String message) {
        super(message);
    }

    TestServerException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
