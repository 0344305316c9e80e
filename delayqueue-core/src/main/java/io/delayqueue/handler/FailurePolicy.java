// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

/**
 * What the exceptions of handlers mean, unless they say so themselves as a {@link RetryHint}.
 *
 * @param counting which of them count as failed attempts
 * @param errorHandler called with each failure
 */
public record FailurePolicy(FailureCounting counting, DeliveryErrorHandler errorHandler) {

    /** Every exception is a failed attempt. */
    public static final FailurePolicy DEFAULT = new FailurePolicy(FailureCounting.ALL, DeliveryErrorHandler.NONE);

    /** Returns this policy with what the options of a handler say instead. */
    FailurePolicy with(HandlerOptions options) {
        return new FailurePolicy(counting, options.errorHandlerOr(errorHandler));
    }
}
