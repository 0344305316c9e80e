// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DeliveryInterceptor;

/** Throws before deliveries, after deliveries and on errors, in both queues. */
record ThrowingInterceptor(ThrownAtRandom thrown) implements DeliveryInterceptor {

    @Override
    public void before(Delivery delivery) {
        thrown.perhaps();
    }

    @Override
    public void after(Delivery delivery) {
        thrown.perhaps();
    }

    @Override
    public void error(Delivery delivery, Throwable error) {
        thrown.perhaps();
    }
}
