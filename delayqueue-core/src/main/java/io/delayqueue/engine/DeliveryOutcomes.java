// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.engine;

import io.delayqueue.store.Settlement;
import java.time.Duration;

/** What deliveries are bound to. {@code settled} or {@code released} is called at most once for each. */
interface DeliveryOutcomes {

    void settled(Delivery delivery, Settlement settlement);

    void released(Delivery delivery);

    boolean renew(Delivery delivery, Duration atLeast);
}
