// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * Thrown if a payload cannot be encoded, or stored bytes cannot be decoded to the requested type. The message contains
 * no part of the payload. For unreadable bytes, it names the codec's exception and the position. That exception is not
 * set as the cause, because its message could expose parts of the payload in the log.
 */
public class PayloadConversionException extends InvalidTaskException {

    public PayloadConversionException(String message, Throwable cause) {
        super(message, cause);
    }

    public PayloadConversionException(String message) {
        super(message);
    }
}
