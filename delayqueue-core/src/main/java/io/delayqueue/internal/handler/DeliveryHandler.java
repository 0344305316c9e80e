// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import io.delayqueue.delivery.OpenDelivery;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Handles deliveries on the calling thread. Returns when the work has ended, or returns a stage that completes when the
 * work ends.
 */
@FunctionalInterface
public interface DeliveryHandler {

    /**
     * Handles deliveries without settling them.
     *
     * @param deliveries a single delivery, unless this handler {@linkplain #takesBatches takes batches}
     * @return null if the work has ended; otherwise a stage that completes when it ends, whose future is cancelled if a
     *     stop ends the deliveries
     */
    @Nullable
    CompletionStage<?> handle(List<OpenDelivery> deliveries) throws Exception;

    default boolean takesBatches() {
        return false;
    }

    /**
     * Returns whether only a newer process can read the payload. Such a delivery is released without a call to the
     * handler.
     */
    default boolean isTooNew(OpenDelivery delivery) {
        return false;
    }

    default DeliveryHandler ofBatches() {
        return new RefinedHandler(this, true, this::isTooNew);
    }

    /** Returns this handler, but with deliveries released for which {@code tooNew} returns {@code true}. */
    default DeliveryHandler unless(Predicate<OpenDelivery> tooNew) {
        return new RefinedHandler(this, takesBatches(), tooNew);
    }
}
