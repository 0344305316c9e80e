// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.DeliveryInterceptor;

/** Throws before deliveries, after deliveries and on errors, in both queues. */
final class ThrowingInterceptor implements DeliveryInterceptor {

    private final ThrownAtRandom thrown;

    ThrowingInterceptor(ThrownAtRandom thrown) {
        this.thrown = thrown;
    }

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
