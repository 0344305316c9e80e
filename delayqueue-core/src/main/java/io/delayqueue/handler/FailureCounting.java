// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.delivery.Delivery;

/**
 * Strategy for which handler exceptions count as failed attempts. A single bean of this type, or the primary one,
 * applies to all handlers. It gets the exception itself, not its causes. It is not called if the exception or a cause
 * is a {@link RetryHint} or is named by {@code retry.excludes}.
 *
 * <p>A task whose attempt does not count is retried after the first back-off of its queue's retry policy, without
 * limit: {@code retry.max-retries} does not apply.
 */
@FunctionalInterface
public interface FailureCounting {

    /** Every exception counts. */
    FailureCounting ALL = (delivery, error) -> true;

    /**
     * Returns whether an attempt that ended with this error counts. Called on the handler's thread; must be
     * thread-safe. If it throws, the exception is logged, and the attempt counts.
     */
    boolean counts(Delivery delivery, Throwable error);
}
