// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.DelayQueueException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler that knows when its task should be tried again. It counts as a failed attempt, unless it was made by
 * {@link #uncounted}.
 */
public class RetryLaterException extends DelayQueueException implements RetryHint {

    private final Duration after;
    private final boolean counted;

    public RetryLaterException(String message, Duration after) {
        this(message, after, null);
    }

    public RetryLaterException(String message, Duration after, @Nullable Throwable cause) {
        this(message, after, cause, true);
    }

    private RetryLaterException(String message, Duration after, @Nullable Throwable cause, boolean counted) {
        super(message, cause);
        this.after = after;
        this.counted = counted;
    }

    /**
     * One that counts no attempt, for a handler that is busy and not broken, such as when the shop that it calls is closed.
     * There is no limit to how often it may be thrown for a task. A handler that wants one looks at {@link
     * DelayedTask#lateness()}, which grows from the due time on, and then throws another exception.
     *
     * @param after until the next attempt; at least 100 ms, also where less is asked for
     */
    public static RetryLaterException uncounted(String message, Duration after) {
        return new RetryLaterException(message, after, null, false);
    }

    @Override
    public boolean isRetryable() {
        return true;
    }

    @Override
    public boolean countsAsFailure() {
        return counted;
    }

    @Override
    public Optional<Duration> retryAfter() {
        return Optional.of(after);
    }
}
