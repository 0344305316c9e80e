// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Delivery;
import java.util.List;
import java.util.Set;

/**
 * Knows of changes of tasks that have been decided, but may not have reached the store yet, such as those in an outbox. Safe for use by
 * many threads.
 */
public interface DeliveryCheck {

    /** Whether the deliveries of a queue are to be checked at all. Asked once when the queue begins to be scanned. */
    boolean concerns(String queue);

    /**
     * Asked on a worker thread before deliveries begin; may block. A change that was decided before this was called either is seen
     * here or has reached the store before this returns. If this throws, none of the deliveries begins.
     *
     * @param deliveries of one queue, with ids that differ
     * @return the ids of those that must not begin; they are asked for again later
     */
    Set<String> heldBack(String queue, List<? extends Delivery> deliveries);
}
