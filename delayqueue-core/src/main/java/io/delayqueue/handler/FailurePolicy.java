// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What the exceptions of handlers mean, unless they say so themselves as a {@link RetryHint}.
 *
 * @param neverRetryFor exceptions, with their subclasses, after which a task is dead at once
 * @param counting which of the others count as failed attempts
 * @param errorHandler called with each failure
 */
public record FailurePolicy(
        Set<Class<? extends Throwable>> neverRetryFor, FailureCounting counting, DeliveryErrorHandler errorHandler) {

    /** Every exception is a failed attempt. */
    public static final FailurePolicy DEFAULT =
            new FailurePolicy(Set.of(), FailureCounting.ALL, DeliveryErrorHandler.NONE);

    public FailurePolicy {
        neverRetryFor = Set.copyOf(neverRetryFor);
    }

    /** This policy with what the options of a handler say instead, or add. */
    FailurePolicy with(HandlerOptions options) {
        Set<Class<? extends Throwable>> both = new LinkedHashSet<>(neverRetryFor);
        both.addAll(options.neverRetryFor());
        return new FailurePolicy(both, counting, options.errorHandlerOr(errorHandler));
    }
}
