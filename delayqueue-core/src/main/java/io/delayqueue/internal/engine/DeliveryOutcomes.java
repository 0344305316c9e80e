// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.store.Settlement;
import java.time.Duration;

/** What deliveries are bound to. {@code settled} or {@code released} is called at most once for each. */
interface DeliveryOutcomes {

    void settled(LeasedDelivery delivery, Settlement settlement);

    void released(LeasedDelivery delivery);

    boolean renew(LeasedDelivery delivery, Duration atLeast);
}
