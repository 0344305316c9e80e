// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a payload cannot be read, for example after a change of its class, or lacks a required property. The task
 * becomes dead at once and is quarantined: no limit on dead tasks deletes it. Handlers may also throw this exception if
 * they check payloads themselves.
 */
public class UnreadablePayloadException extends NonRetryableTaskException {

    /** @param message the reason, without payload; kept with the task */
    public UnreadablePayloadException(String message) {
        super(message);
    }

    public UnreadablePayloadException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
