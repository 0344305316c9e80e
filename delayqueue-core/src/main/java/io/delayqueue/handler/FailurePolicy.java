// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

/**
 * The meaning of handler exceptions that are not a {@link RetryHint}.
 *
 * @param counting decides which others count as failed attempts
 * @param errorHandler called for each failure
 */
public record FailurePolicy(FailureCounting counting, DeliveryErrorHandler errorHandler) {

    /** Every exception is a failed attempt. */
    public static final FailurePolicy DEFAULT = new FailurePolicy(FailureCounting.ALL, DeliveryErrorHandler.NONE);

    /** Returns this policy with the overrides of a handler's options. */
    FailurePolicy with(HandlerOptions options) {
        return new FailurePolicy(counting, options.errorHandlerOr(errorHandler));
    }
}
