// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * A payload could not be turned into bytes, or stored bytes not into the type asked for. The message shows nothing of
 * the payload. Of stored bytes that could not be read it says which exception the codec met and where; that exception
 * is not kept as the cause, because its message would carry pieces of the payload, line breaks and all, into whatever
 * log it is written to.
 */
public class PayloadConversionException extends InvalidTaskException {

    public PayloadConversionException(String message, Throwable cause) {
        super(message, cause);
    }

    public PayloadConversionException(String message) {
        super(message);
    }
}
