// SPDX-License-Identifier: Apache-2.0
package com.example.programs;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.annotation.DelayQueueListener;
import java.time.Duration;
import org.springframework.stereotype.Component;

@Component
record Deadlines(DelayQueueOperations delayQueue) {

    void placed(String order) {
        delayQueue.queue("orders", String.class).schedule(order, order, Due.after(Duration.ofMinutes(30)));
    }

    void paid(String order) {
        delayQueue.cancel("orders", order);
    }

    @DelayQueueListener("orders")
    void timeIsUp(String order) {
        System.out.println("Nobody paid " + order);
    }
}
