// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.failure;

import io.delayqueue.DelayQueueException;
import io.delayqueue.PayloadConversionException;
import io.delayqueue.TaskStoreException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Shows why a bean of the application, such as a trigger, was refused. Redis being down is no mistake in the setup, and
 * why a payload cannot be written is in the cause.
 */
final class DelayQueueFailureAnalyzer extends AbstractFailureAnalyzer<DelayQueueException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, DelayQueueException cause) {
        if (cause instanceof InvalidDelayQueueSetupException
                || cause instanceof TaskStoreException
                || cause instanceof PayloadConversionException) {
            return null;
        }
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Correct what the description names, in the properties or in the bean.",
                cause);
    }
}
