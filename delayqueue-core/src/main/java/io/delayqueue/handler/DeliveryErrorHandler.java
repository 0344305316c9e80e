// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.delivery.OpenDelivery;

/**
 * Code of the application that is called with what a handler failed with, before that is logged and decides about the task:
 * to translate exceptions, to tell somebody, or to end the delivery in another way. A single bean of this type, or the
 * primary one, is called for all handlers; the options of a handler may name another one.
 *
 * <pre>{@code
 * (delivery, error) -> {
 *     if (error instanceof OrderGoneException) {
 *         delivery.settle(Outcome.delivered()); // nothing is left to be done
 *     } else if (error instanceof ShopClosedException closed) {
 *         throw new RetryLaterException("closed", closed.timeUntilOpening());
 *     }
 * }
 * }</pre>
 */
@FunctionalInterface
public interface DeliveryErrorHandler {

    /** Leaves every error as it is. */
    DeliveryErrorHandler NONE = (delivery, error) -> {};

    /**
     * An attempt has failed. Called on the handler's thread, with its logging context, inside its observation and under the
     * task's lease; by many threads at once. For a handler that goes on although its time limit is over, on another thread.
     * Not called when a stop of the application broke the handler off.
     *
     * <p>When this returns, the attempt has failed with {@code error}. When it throws, the attempt has failed with what was
     * thrown, which may be a {@link RetryHint}; {@code error} is added to that as a suppressed exception. When it has
     * settled the delivery, that outcome counts, and nothing is logged.
     *
     * @param delivery whose handler failed
     * @param error what it threw, or what its stage failed with
     */
    void handleError(OpenDelivery delivery, Throwable error) throws Exception;
}
