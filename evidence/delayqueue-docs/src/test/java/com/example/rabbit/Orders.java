// SPDX-License-Identifier: Apache-2.0
package com.example.rabbit;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.rabbit.RabbitHeaders;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.stereotype.Service;

@Service
class Orders {

    private final DelayQueueOperations delayQueue;

    Orders(DelayQueueOperations delayQueue) {
        this.delayQueue = delayQueue;
    }

    void placed(Order order) {
        delayQueue.schedule(ScheduleRequest.to("orders")
                .id(order.id())
                .payload(new OrderTimeout(order.id()))
                .header("country", order.country())
                .dueIn(Duration.ofMinutes(15))
                .build());
    }

    void paid(Order order) {
        delayQueue.cancel("orders", order.id());
    }

    void extended(Order order) {
        delayQueue.reschedule("orders", order.id(), Due.after(Duration.ofMinutes(15)));
    }

    @RabbitListener(queues = "orders.timeout")
    void timeIsUp(OrderTimeout timeout, @Header(RabbitHeaders.TASK_KEY) String taskKey) {
        // delivery is at least once: skip a task key that you have seen
        close(timeout.orderId(), taskKey);
    }

    final Map<String, String> closed = new ConcurrentHashMap<>();

    private void close(String order, String taskKey) {
        closed.put(order, taskKey);
    }
}
