// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.store.Settlement;
import java.time.Duration;

/** What deliveries are bound to. {@code settled} or {@code released} is called at most once for each. */
interface DeliveryOutcomes {

    void settled(LeasedDelivery delivery, Settlement settlement);

    void released(LeasedDelivery delivery);

    /**
     * Asked before one begins, by whoever is about to begin it.
     *
     * @return whether it is in time; otherwise it has an outcome
     */
    default boolean isInTime(LeasedDelivery delivery) {
        return true;
    }

    /** It begins; called at most once for each. */
    default void begun(LeasedDelivery delivery) {}

    /** One that had begun has its outcome; called at most once for each, after the above. */
    default void ended(LeasedDelivery delivery, Outcome.Kind ending, boolean leaseLost) {}

    boolean renew(LeasedDelivery delivery, Duration atLeast);
}
