// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.TaskDeath;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Callbacks of an engine.
 *
 * @param events counts deliveries
 * @param deaths receives each dead or quarantined task, on a separate thread; {@code null} for none
 * @param check called before deliveries start; {@code null} for none
 */
public record EngineHooks(
        DeliveryEvents events,
        @Nullable Consumer<? super TaskDeath> deaths,
        @Nullable DeliveryCheck check) {

    /** No callbacks. */
    public static final EngineHooks NONE = new EngineHooks(DeliveryEvents.NONE, null, null);
}
