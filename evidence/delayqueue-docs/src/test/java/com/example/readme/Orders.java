// SPDX-License-Identifier: Apache-2.0
package com.example.readme;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.ScheduleRequest;
import java.time.Duration;
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
                .payload(order.id())
                .header("country", order.country())
                .dueIn(Duration.ofMinutes(15))
                .build());
    }

    void paid(Order order) {
        delayQueue.cancel("orders", order.id());
    }

    void extended(Order order) {
        delayQueue.reschedule("orders", order.id(), Due.after(Duration.ofMinutes(30)));
    }
}
