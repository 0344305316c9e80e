// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.delivery.Delivery;

/**
 * Strategy that decides which handler exceptions count as failed attempts. The single or primary bean of this type
 * applies to all handlers. Receives the exception itself, not its causes. Not called if the exception or a cause is a
 * {@link RetryHint} or is listed in {@code retry.excludes}.
 *
 * <p>If an attempt does not count, the task is retried after the first back-off of its queue's retry policy, any number
 * of times: {@code retry.max-retries} does not apply.
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
