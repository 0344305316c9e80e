// SPDX-License-Identifier: Apache-2.0
package com.example.programs;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.rabbit.RabbitHeaders;
import java.time.Duration;
import org.springframework.stereotype.Component;

@Component
record Shipments(DelayQueueOperations delayQueue) {

    void ordered(String order, String country, boolean express) {
        delayQueue.schedule(ScheduleRequest.to("shipments", order)
                .id(order)
                .header("country", country)
                .header(RabbitHeaders.PRIORITY, express ? "9" : "1")
                .dueIn(Duration.ofHours(2))
                .build());
    }
}
