// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** Thrown if an encoded payload exceeds the configured limit. */
public class PayloadTooLargeException extends InvalidTaskException {

    public PayloadTooLargeException(String message) {
        super(message);
    }
}
