// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.store.Settlement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Receives the events of deliveries. */
interface DeliveryOutcomes {

    /**
     * Called when a delivery has ended, at most once for each.
     *
     * @param closesKeyFor how long to close the key of the delivery, if it has a key; null to leave it open
     */
    void settled(LeasedDelivery delivery, Settlement settlement, @Nullable Duration closesKeyFor);

    /**
     * Called before a delivery starts.
     *
     * @return whether it is in time; if not, this method has settled it
     */
    default boolean isInTime(LeasedDelivery delivery) {
        return true;
    }

    /** Returns how long a delivery may wait for a fuller batch without being too late, at most the given time. */
    default Duration slack(LeasedDelivery delivery, Duration most) {
        return most;
    }

    /** Called when a delivery starts, at most once for each. */
    default void begun(LeasedDelivery delivery) {}

    /** Called when a started delivery was settled, at most once for each, after the methods above. */
    default void ended(LeasedDelivery delivery, Outcome.Kind ending, boolean leaseLost) {}

    /** Called when a delivery was settled before its start, at most once for each, unless it had expired. */
    default void endedUnstarted(LeasedDelivery delivery, Outcome.Kind ending) {}

    boolean renew(LeasedDelivery delivery, Duration atLeast);
}
