// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.delivery.OpenDelivery;

/**
 * Callback for handler failures, invoked before the failure is logged and the outcome is decided: to translate
 * exceptions, to notify someone, or to settle the delivery in another way. A single bean of this type, or the primary
 * one, applies to all handlers; the options of a handler may name another.
 * <pre>{@code
 * (delivery, error) -> {
 *     if (error instanceof OrderGoneException) {
 *         delivery.settle(Outcome.delivered()); // nothing to do
 *     } else if (error instanceof ShopClosedException closed) {
 *         throw new RetryLaterException("closed", closed.timeUntilOpening());
 *     }
 * }
 * }</pre>
 */
@FunctionalInterface
public interface DeliveryErrorHandler {

    /** Leaves every error unchanged. */
    DeliveryErrorHandler NONE = (delivery, error) -> {};

    /**
     * Called when an attempt has failed, on the handler's thread, with its logging context, within its observation and
     * under the task's lease. Must be thread-safe. If a handler continues after its time limit, it is called on another
     * thread. It is not called if a stop of the application interrupted the handler.
     *
     * <p>If this method returns, the attempt has failed with {@code error}. If it throws, the attempt has failed with
     * that exception, which may be a {@link RetryHint}; {@code error} is added as a suppressed exception. If it has
     * settled the delivery, that outcome counts, and nothing is logged.
     *
     * @param delivery the delivery whose handler failed
     * @param error exception of the handler or its stage
     */
    void handleError(OpenDelivery delivery, Throwable error) throws Exception;
}
