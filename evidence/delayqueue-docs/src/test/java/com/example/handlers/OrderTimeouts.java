// SPDX-License-Identifier: Apache-2.0
package com.example.handlers;

import io.delayqueue.annotation.DelayQueueListener;
import org.springframework.stereotype.Component;

@Component
class OrderTimeouts {

    @DelayQueueListener(queue = "orders")
    void timeIsUp(OrderTimeout timeout) {
        // close the order unless it is paid
    }
}
