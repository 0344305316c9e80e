// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import io.delayqueue.handler.DeliveryErrorHandler;
import io.delayqueue.handler.FailureCounting;
import io.delayqueue.handler.RetryHint;
import org.jspecify.annotations.Nullable;

/**
 * Decides the effect of handler exceptions that are not a {@link RetryHint}.
 *
 * @param counting decides which exceptions count as failed attempts
 * @param errorHandler called for each failure
 */
public record FailurePolicy(FailureCounting counting, DeliveryErrorHandler errorHandler) {

    public static final FailurePolicy DEFAULT = new FailurePolicy(FailureCounting.ALL, DeliveryErrorHandler.NONE);

    /** Returns this policy with the error handler of one handler, if it has one. */
    FailurePolicy with(@Nullable DeliveryErrorHandler own) {
        return new FailurePolicy(counting, own == null ? errorHandler : own);
    }
}
