// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.DelayQueueException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler to set the time of the next attempt. The attempt counts as failed, unless the exception was
 * created with {@link #uncounted} or {@link #closingKey}.
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
        this.after = Objects.requireNonNull(after, "after is null. Pass Duration.ZERO to retry at once");
        this.counted = counted;
        this.closesKey = closesKey;
    }

    /**
     * Returns an exception for an attempt that does not count as failed, for example because a service is temporarily
     * unavailable. The number of retries is unlimited. To limit them, check {@link DelayedTask#lateness()} and throw
     * another exception.
     *
     * @param after delay until the next attempt; at least 100 ms
     */
    public static RetryLaterException uncounted(String message, Duration after) {
        return new RetryLaterException(message, after, null, false, false);
    }

    /**
     * Returns an exception like {@link #uncounted} that also closes the key of the task: until the next attempt, no
     * process delivers another task of the key. Use it if all tasks of the key must wait, for example after HTTP status
     * 429 from a tenant's server. Never shortens a closure of the key. Without a key, only this task waits.
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
