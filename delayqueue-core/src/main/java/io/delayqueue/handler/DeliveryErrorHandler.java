// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.delivery.OpenDelivery;

/**
 * Callback for handler failures, invoked before the failure is logged and the outcome is decided. Use it to translate
 * exceptions, to send a notification, or to settle the delivery differently. The single or primary bean of this type
 * applies to all handlers; the options of a handler may name another one.
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
     * Called when an attempt has failed, on the handler's thread, within its logging context and observation, and under
     * the task's lease. If a handler exceeds its time limit, called on another thread. Not called if the application's
     * stop interrupted the handler. Must be thread-safe.
     *
     * <p>If this method returns, the attempt fails with {@code error}. If it throws, the attempt fails with that
     * exception, which may be a {@link RetryHint}; {@code error} is added as a suppressed exception. If it settles the
     * delivery, that outcome counts, and the failure is logged only if the task is dead. If the handler may still be
     * running, any outcome except {@code delivered} is marked as uncertain; if deliveries of the queue begin at most
     * once, the task is dead.
     *
     * @param delivery the delivery whose handler failed
     * @param error exception from the handler or its stage
     */
    void handleError(OpenDelivery delivery, Throwable error) throws Exception;
}
