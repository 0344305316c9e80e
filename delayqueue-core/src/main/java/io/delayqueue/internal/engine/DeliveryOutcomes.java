// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.store.Settlement;
import java.time.Duration;

/** Receives the events of deliveries. */
interface DeliveryOutcomes {

    /** The delivery has ended; called at most once for each. */
    void settled(LeasedDelivery delivery, Settlement settlement);

    /** Closes the key of a delivery for a time, if it has one. Called before its outcome is settled. */
    default void closeKey(LeasedDelivery delivery, Duration time) {}

    /**
     * Called before a delivery starts.
     *
     * @return whether it is in time; otherwise it has been settled
     */
    default boolean isInTime(LeasedDelivery delivery) {
        return true;
    }

    /** Called when a delivery starts, at most once for each. */
    default void begun(LeasedDelivery delivery) {}

    /** Called when a started delivery was settled, at most once for each, after the methods above. */
    default void ended(LeasedDelivery delivery, Outcome.Kind ending, boolean leaseLost) {}

    boolean renew(LeasedDelivery delivery, Duration atLeast);
}
