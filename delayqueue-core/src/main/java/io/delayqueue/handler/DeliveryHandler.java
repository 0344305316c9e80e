// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.delivery.OpenDelivery;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Handles deliveries, on the calling thread, until it is done or has returned a stage that says when it is. */
@FunctionalInterface
public interface DeliveryHandler {

    /**
     * Handles deliveries without settling them.
     *
     * @param deliveries one, unless this {@linkplain #takesBatches takes batches}
     * @return null when done, or a stage that completes when it is; its future is cancelled when a stop breaks the
     *     deliveries off
     */
    @Nullable
    CompletionStage<?> handle(List<OpenDelivery> deliveries) throws Exception;

    /** Returns whether this takes several deliveries together. */
    default boolean takesBatches() {
        return false;
    }

    /** Returns whether only a newer process can read the payload. Such a delivery is given back and not handled. */
    default boolean isTooNew(OpenDelivery delivery) {
        return false;
    }

    /** Returns this handler as one that takes several deliveries together. */
    default DeliveryHandler ofBatches() {
        return new RefinedHandler(this, true, this::isTooNew);
    }

    /** Returns this handler as one of the deliveries for which {@code tooNew} returns false. */
    default DeliveryHandler unless(Predicate<OpenDelivery> tooNew) {
        return new RefinedHandler(this, takesBatches(), tooNew);
    }
}
