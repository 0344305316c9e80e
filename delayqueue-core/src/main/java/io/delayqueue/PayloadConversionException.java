// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * A payload could not be turned into bytes, or stored bytes not into the type asked for. The cause is kept; its message
 * may name types and fields but the message of this exception shows nothing of the payload.
 */
public class PayloadConversionException extends InvalidTaskException {

    public PayloadConversionException(String message, Throwable cause) {
        super(message, cause);
    }

    public PayloadConversionException(String message) {
        super(message);
    }
}
