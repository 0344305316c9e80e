// SPDX-License-Identifier: Apache-2.0
package com.example.rabbit;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.rabbit.RabbitAddress;
import io.delayqueue.rabbit.RabbitScanTrigger;
import org.springframework.stereotype.Component;

@Component
class OrderTimeoutTrigger extends RabbitScanTrigger {

    OrderTimeoutTrigger() {
        super("orders");
    }

    @Override
    protected RabbitAddress address(Delivery task) {
        String country = task.content().headers().getOrDefault("country", "de");
        return new RabbitAddress("shop." + country, "order.timeout");
    }
}
