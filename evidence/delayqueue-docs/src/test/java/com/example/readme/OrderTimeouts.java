// SPDX-License-Identifier: Apache-2.0
package com.example.readme;

import io.delayqueue.annotation.DelayQueueListener;
import org.springframework.stereotype.Component;

@Component
class OrderTimeouts {

    private final OrderBook book;

    OrderTimeouts(OrderBook book) {
        this.book = book;
    }

    @DelayQueueListener(queue = "orders")
    void timeIsUp(String orderId) {
        book.closeUnlessPaid(orderId);
    }
}
