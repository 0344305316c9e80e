// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import java.time.Duration;
import java.util.Optional;

/**
 * Implemented by exceptions that know when the task that met them should be tried again. Those that another exception
 * has as its cause, or as the cause of that, count as well; the outermost one decides.
 */
public interface RetryHint {

    /** Whether another attempt can succeed; if not, the task is dead at once. */
    boolean isRetryable();

    /**
     * Whether the attempt counts as a failed one. If not, the task may come again however often, and {@code
     * retry.max-retries} does not end it; {@link DelayedTask#lateness()} says for how long it has been due.
     */
    default boolean countsAsFailure() {
        return true;
    }

    /** How long to wait before the next attempt; empty for the back-off of the queue's retry policy. */
    default Optional<Duration> retryAfter() {
        return Optional.empty();
    }
}
