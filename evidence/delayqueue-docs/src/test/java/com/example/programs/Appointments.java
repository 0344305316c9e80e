// SPDX-License-Identifier: Apache-2.0
package com.example.programs;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import java.time.Duration;
import java.time.Instant;
import org.springframework.stereotype.Component;

@Component
record Appointments(DelayQueueOperations delayQueue) {

    void booked(String name, Instant at) {
        ScheduleRequest.Builder<String> reminder =
                ScheduleRequest.to("reminders", name).group(name);
        delayQueue.schedule(reminder.dueAt(at.minus(Duration.ofDays(1))).build());
        delayQueue.schedule(reminder.dueAt(at.minus(Duration.ofHours(1))).build());
    }

    void moved(String name, Duration by) {
        delayQueue.group("reminders", name).shift(by);
    }

    void cancelled(String name) {
        delayQueue.group("reminders", name).cancel();
    }
}
