// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import java.time.Duration;
import java.util.Optional;

/**
 * Implemented by exceptions that decide when to retry their task. The library also looks at the causes of an exception;
 * the outermost exception with this interface decides.
 */
public interface RetryHint {

    /** Returns whether another attempt can succeed. If not, the task becomes dead at once. */
    boolean isRetryable();

    /**
     * Returns whether the attempt counts as failed. If not, the number of retries is unlimited and
     * {@code retry.max-retries} does not apply; {@link DelayedTask#lateness()} tells the handler how long the task has
     * been due.
     */
    default boolean countsAsFailure() {
        return true;
    }

    /** Returns how long to wait before the next attempt; empty for the back-off of the queue's retry policy. */
    default Optional<Duration> retryAfter() {
        return Optional.empty();
    }

    /**
     * Returns whether the whole key of the task is closed until the next attempt, so that no process delivers another
     * task of the key. Has no effect on a task without a key.
     */
    default boolean closesKey() {
        return false;
    }
}
