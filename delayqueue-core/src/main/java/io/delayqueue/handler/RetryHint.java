// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import java.time.Duration;
import java.util.Optional;

/**
 * Interface for exceptions that decide whether and when their task is retried. The library also checks the causes of an
 * exception; the outermost exception with this interface decides.
 */
public interface RetryHint {

    /** Returns whether another attempt can succeed. If not, the task becomes dead at once. */
    boolean isRetryable();

    /**
     * Returns whether the attempt counts as failed. If not, the number of retries is unlimited and {@code
     * retry.max-retries} does not apply; use {@link DelayedTask#lateness()} to limit them.
     */
    default boolean countsAsFailure() {
        return true;
    }

    /** Returns how long to wait before the next attempt; empty for the back-off of the queue's retry policy. */
    default Optional<Duration> retryAfter() {
        return Optional.empty();
    }

    /**
     * Returns whether to close the key of the task until the next attempt, so that no process delivers another task of
     * the key. Has no effect for a task without a key.
     */
    default boolean closesKey() {
        return false;
    }
}
