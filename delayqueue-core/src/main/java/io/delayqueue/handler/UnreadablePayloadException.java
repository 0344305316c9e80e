// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import org.jspecify.annotations.Nullable;

/**
 * A payload that cannot be read, such as after a change of its class, or that lacks a required property. The task is
 * dead immediately and quarantined: no bound on dead tasks deletes it. Handlers that check payloads themselves may
 * throw it too.
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
