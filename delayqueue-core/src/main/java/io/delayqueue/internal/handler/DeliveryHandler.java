// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import io.delayqueue.delivery.OpenDelivery;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A handler of deliveries.
 *
 * @param takesBatches whether it handles several deliveries together
 * @param tooNew whether only a newer process can read the payload of a delivery, which is then released without a call
 */
public record DeliveryHandler(Call call, boolean takesBatches, Predicate<OpenDelivery> tooNew) {

    /**
     * Handles deliveries on the calling thread, without settling them. Returns when the work has ended, or returns a
     * stage that completes when the work ends.
     */
    @FunctionalInterface
    public interface Call {

        /**
         * @param deliveries a single delivery, unless the handler takes batches
         * @return null if the work has ended; otherwise a stage that completes when it ends, whose future is cancelled
         *     if a stop ends the deliveries
         */
        @Nullable
        CompletionStage<?> handle(List<OpenDelivery> deliveries) throws Exception;
    }
}
