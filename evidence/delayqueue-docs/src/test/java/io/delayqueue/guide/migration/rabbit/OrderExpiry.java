// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.migration.rabbit;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import java.time.Duration;
import org.springframework.stereotype.Service;

@Service
class OrderExpiry {

    private final DelayQueueOperations delayQueue;

    OrderExpiry(DelayQueueOperations delayQueue) {
        this.delayQueue = delayQueue;
    }

    void placed(String orderId) {
        delayQueue.schedule(ScheduleRequest.to("order-expiry")
                .id(orderId)
                .payload(new OrderExpired(orderId))
                .dueIn(Duration.ofMinutes(30))
                .build());
    }

    CancelOutcome paid(String orderId) {
        return delayQueue.cancel("order-expiry", orderId);
    }
}
