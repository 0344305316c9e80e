// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.DelayQueueException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler to choose when its task is retried. The attempt counts as failed, unless {@link #uncounted}
 * created the exception.
 */
public class RetryLaterException extends DelayQueueException implements RetryHint {

    private final Duration after;
    private final boolean counted;
    private final boolean closesKey;

    /** @param after delay until the next attempt; at once if zero or negative */
    public RetryLaterException(String message, Duration after) {
        this(message, after, null);
    }

    /** @param after delay until the next attempt; at once if zero or negative */
    public RetryLaterException(String message, Duration after, @Nullable Throwable cause) {
        this(message, after, cause, true, false);
    }

    private RetryLaterException(
            String message, Duration after, @Nullable Throwable cause, boolean counted, boolean closesKey) {
        super(message, cause);
        this.after = after;
        this.counted = counted;
        this.closesKey = closesKey;
    }

    /**
     * Returns an exception that does not count as an attempt, for a handler that is temporarily unable to work, for
     * example because the called shop is closed. The number of retries is unlimited. To limit it, check
     * {@link DelayedTask#lateness()}, which grows from the due time on, and throw another exception.
     *
     * @param after delay until the next attempt; at least 100 ms
     */
    public static RetryLaterException uncounted(String message, Duration after) {
        return new RetryLaterException(message, after, null, false, false);
    }

    /**
     * Returns an exception like {@link #uncounted} that also closes the key of the task: until the next attempt, no
     * process delivers another task of the key. For a handler that was asked to wait on behalf of the key, for example
     * by a tenant's HTTP status 429. Never shortens a closure of the key. Without a key, only this task waits.
     *
     * @param after delay until the next attempt; at least 100 ms
     */
    public static RetryLaterException closingKey(String message, Duration after) {
        return new RetryLaterException(message, after, null, false, true);
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
    public boolean closesKey() {
        return closesKey;
    }

    @Override
    public Optional<Duration> retryAfter() {
        return Optional.of(after);
    }
}
