// SPDX-License-Identifier: Apache-2.0
package com.example.testing;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Service;

/** Closes an unpaid order after a quarter of an hour. */
@Service
class Orders {

    private static final Duration WINDOW = Duration.ofMinutes(15);

    private final Map<String, Order> book = new ConcurrentHashMap<>();
    private final DelayQueueOperations delayQueue;
    private final Clock clock;

    Orders(DelayQueueOperations delayQueue, ObjectProvider<Clock> clock) {
        this.delayQueue = delayQueue;
        this.clock = clock.getIfAvailable(Clock::systemUTC);
    }

    void place(String id) {
        book.put(id, new Order(id, false));
        delayQueue.schedule(ScheduleRequest.to("orders")
                .id(id)
                .payload(new OrderTimeout(id))
                .dueIn(WINDOW)
                .build());
    }

    void placeByTheClock(String id) {
        book.put(id, new Order(id, false));
        delayQueue.schedule(ScheduleRequest.to("orders")
                .id(id)
                .payload(new OrderTimeout(id))
                .dueAt(clock.instant().plus(WINDOW))
                .build());
    }

    void close(String id) {
        book.put(id, new Order(id, true));
    }

    Order find(String id) {
        return book.get(id);
    }
}
