// SPDX-License-Identifier: Apache-2.0
package com.example.programs;

import io.delayqueue.BatchFailedException;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import java.time.Instant;
import java.util.Map;
import org.springframework.stereotype.Component;

@Component
record Renewals(DelayQueueOperations delayQueue) {

    void imported(Map<String, Instant> endsById) {
        try {
            delayQueue.scheduleAll(endsById.entrySet().stream()
                    .map(end -> ScheduleRequest.to("renewals", end.getKey())
                            .id(end.getKey())
                            .dueAt(end.getValue())
                            .build())
                    .toList());
        } catch (BatchFailedException ex) {
            ex.failed().forEach(line -> System.err.println(line.id() + ": " + line.error()));
            throw ex;
        }
    }
}
