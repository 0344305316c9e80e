// SPDX-License-Identifier: Apache-2.0
package com.example.transactions;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import java.time.Duration;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Orders {

    private final OrderRepository orders;
    private final DelayQueueOperations delayQueue;

    Orders(OrderRepository orders, DelayQueueOperations delayQueue) {
        this.orders = orders;
        this.delayQueue = delayQueue;
    }

    @Transactional
    public void place(Order order) {
        orders.save(order);
        delayQueue.schedule(ScheduleRequest.to("order-timeouts")
                .id("order-" + order.id())
                .payload(new OrderTimeout(order.id()))
                .dueIn(Duration.ofMinutes(15))
                .build());
    }

    @Transactional
    public void pay(long id) {
        orders.markPaid(id);
        delayQueue.cancel("order-timeouts", "order-" + id);
    }
}
