// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.DelayQueueException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler whose task cannot succeed, now or later: the task is dead at once, with this message as reason.
 * Also when it is the cause of another exception, such as one of a transaction or a proxy.
 */
public class NonRetryableTaskException extends DelayQueueException implements RetryHint {

    public NonRetryableTaskException(String message) {
        super(message);
    }

    public NonRetryableTaskException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public boolean isRetryable() {
        return false;
    }
}
