// SPDX-License-Identifier: Apache-2.0
package com.example.transactions;

import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.jdbc.DelayQueueInbox;
import java.util.Map;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

@Component
class ActOnce {

    private final OrderRepository orders;
    private final DelayQueueInbox inbox;

    ActOnce(OrderRepository orders, DelayQueueInbox inbox) {
        this.orders = orders;
        this.inbox = inbox;
    }

    @Transactional
    @DelayQueueListener(queue = "orders")
    void timeIsUp(DelayedTask<OrderTimeout> task) {
        inbox.runOnce(task, () -> orders.close(task.payload().orderId()));
    }

    @Transactional
    @RabbitListener(queues = "orders.timeout")
    void timeIsUp(OrderTimeout timeout, @Headers Map<String, Object> headers) {
        if (inbox.accept(headers)) {
            orders.close(timeout.orderId());
        }
    }
}
