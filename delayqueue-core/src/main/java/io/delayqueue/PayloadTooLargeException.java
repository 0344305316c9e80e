// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/** An encoded payload is larger than the configured limit. */
public class PayloadTooLargeException extends InvalidTaskException {

    public PayloadTooLargeException(String message) {
        super(message);
    }
}
