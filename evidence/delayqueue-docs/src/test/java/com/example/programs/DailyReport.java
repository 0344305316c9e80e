// SPDX-License-Identifier: Apache-2.0
package com.example.programs;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

@Component
record DailyReport(DelayQueueOperations delayQueue) {

    @EventListener(ApplicationReadyEvent.class)
    void start() {
        delayQueue.schedule(ScheduleRequest.to("reports", "sales")
                .id("sales")
                .keepLive()
                .dueIn(Duration.ZERO)
                .build());
    }

    @DelayQueueListener("reports")
    void send(DelayedTask<String> report) {
        System.out.println("Sending " + report.payload());
        report.againAt(LocalTime.of(9, 0), ZoneId.of("Europe/Berlin"));
    }
}
