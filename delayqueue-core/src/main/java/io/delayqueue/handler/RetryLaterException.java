// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.DelayQueueException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown by a handler that knows when its task should be tried again. It counts as a failed attempt. */
public class RetryLaterException extends DelayQueueException implements RetryAdvice {

    private final Duration after;

    public RetryLaterException(String message, Duration after) {
        super(message);
        this.after = after;
    }

    public RetryLaterException(String message, Duration after, @Nullable Throwable cause) {
        super(message, cause);
        this.after = after;
    }

    @Override
    public boolean isRetryable() {
        return true;
    }

    @Override
    public Optional<Duration> retryAfter() {
        return Optional.of(after);
    }
}
