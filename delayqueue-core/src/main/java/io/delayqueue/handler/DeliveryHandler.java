// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.delivery.OpenDelivery;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Handles one delivery, on the calling thread, until it is done or has returned a stage that says when it is. */
@FunctionalInterface
public interface DeliveryHandler {

    /**
     * Handles a delivery without settling it.
     *
     * @return null when done, or a stage that completes when it is; its future is cancelled when a stop breaks the
     *     delivery off
     */
    @Nullable
    CompletionStage<?> handle(OpenDelivery delivery) throws Exception;
}
