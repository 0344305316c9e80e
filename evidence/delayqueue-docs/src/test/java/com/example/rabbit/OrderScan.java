// SPDX-License-Identifier: Apache-2.0
package com.example.rabbit;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

@Component
class OrderScan {

    private final OrderTimeoutTrigger trigger;

    OrderScan(OrderTimeoutTrigger trigger) {
        this.trigger = trigger;
    }

    @Scheduled(fixedDelay = 1000)
    void scan() {
        while (trigger.scanOnce(1000) == 1000) {}
    }
}
