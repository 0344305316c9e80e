// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import io.delayqueue.delivery.OpenDelivery;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A handler and its limits. */
record RefinedHandler(DeliveryHandler handler, boolean takesBatches, Predicate<OpenDelivery> tooNew)
        implements DeliveryHandler {

    @Override
    public @Nullable CompletionStage<?> handle(List<OpenDelivery> deliveries) throws Exception {
        return handler.handle(deliveries);
    }

    @Override
    public boolean isTooNew(OpenDelivery delivery) {
        return tooNew.test(delivery);
    }
}
