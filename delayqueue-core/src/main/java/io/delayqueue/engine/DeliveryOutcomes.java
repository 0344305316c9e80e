// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.engine;

import io.delayqueue.store.Settlement;

/** Takes what became of deliveries; called at most once for each. */
interface DeliveryOutcomes {

    void settled(Delivery delivery, Settlement settlement);

    void released(Delivery delivery);
}
