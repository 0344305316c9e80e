// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.DelayQueueException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler if its task can never succeed. The task becomes dead at once, with this message as the reason,
 * even if another exception wraps this one, for example from a transaction or a proxy.
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
