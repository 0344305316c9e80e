// SPDX-License-Identifier: Apache-2.0
package com.example.testing;

import io.delayqueue.annotation.DelayQueueListener;

/** Not a component: where the queue goes to a broker, nothing in the application handles it. */
class OrderTimeouts {

    private final Orders orders;

    OrderTimeouts(Orders orders) {
        this.orders = orders;
    }

    @DelayQueueListener(queue = "orders")
    void timeIsUp(OrderTimeout timeout) {
        orders.close(timeout.orderId());
    }
}
