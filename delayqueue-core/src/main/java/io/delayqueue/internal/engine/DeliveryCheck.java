// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Delivery;
import java.util.List;
import java.util.Set;

/**
 * Looks for committed changes to tasks that may not have reached the store yet, for example changes in an outbox.
 * Thread-safe.
 */
public interface DeliveryCheck {

    /** Returns whether to check the deliveries of a queue. Called once when scanning starts. */
    boolean concerns(String queue);

    /**
     * Returns the deliveries to hold back. The engine calls this on a worker thread before deliveries start; it may
     * block. Every change committed before this call must be considered here, or must have reached the store when this
     * returns. If this throws, none of the deliveries starts.
     *
     * @param deliveries deliveries of one queue, with different ids
     * @return the ids of deliveries that must not start; they are checked again later
     */
    Set<String> heldBack(String queue, List<? extends Delivery> deliveries);
}
