// SPDX-License-Identifier: Apache-2.0
package com.example.shop;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.annotation.DelayQueueListener;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Service;

@Service
class Orders {

    enum Status {
        OPEN,
        PAID,
        CLOSED
    }

    private static final String QUEUE = "orders";

    private final Map<String, Status> book = new ConcurrentHashMap<>(); // in production, a table of your database
    private final DelayQueueOperations delayQueue;

    Orders(DelayQueueOperations delayQueue) {
        this.delayQueue = delayQueue;
    }

    String place() {
        String id = UUID.randomUUID().toString();
        book.put(id, Status.OPEN);
        delayQueue.schedule(ScheduleRequest.to(QUEUE)
                .id(id)
                .payload(new OrderTimeout(id))
                .dueIn(Duration.ofMinutes(15))
                .build());
        return id;
    }

    boolean pay(String id) {
        boolean wasOpen = book.replace(id, Status.OPEN, Status.PAID);
        if (wasOpen) {
            delayQueue.cancel(QUEUE, id);
        }
        return wasOpen;
    }

    @DelayQueueListener(queue = QUEUE)
    void timeIsUp(OrderTimeout timeout) {
        book.replace(timeout.orderId(), Status.OPEN, Status.CLOSED);
    }

    Status status(String id) {
        return book.get(id);
    }
}
