// SPDX-License-Identifier: Apache-2.0
package com.example.recipes;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.DeliveryWindow;
import io.delayqueue.GroupResult;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskGroup;
import io.delayqueue.TypedQueue;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;

/** The calls of docs/recipes.md. */
class Recipes {

    private final TypedQueue<Object> queue;

    Recipes(DelayQueueOperations delayQueue) {
        this.queue = delayQueue.queue("reminders", Object.class);
    }

    GroupResult timersOfAnOrder() {
        queue.schedule(queue.request(new Timeout(42))
                .group("order:42")
                .id("timeout")
                .dueIn(Duration.ofMinutes(15))
                .build());
        queue.schedule(queue.request(new Reminder(42))
                .group("order:42")
                .id("reminder")
                .dueIn(Duration.ofMinutes(10))
                .build());

        TaskGroup timers = queue.group("order:42");
        timers.shift(Duration.ofDays(1)); // the customer asked for more time
        GroupResult result = timers.cancel(); // paid; result.inFlight() has the ids whose delivery had started
        return result;
    }

    void sendACodeInTime() {
        queue.schedule(queue.request(new SendCode("customer-7"))
                .dueIn(Duration.ofSeconds(30))
                .expiresAfter(Duration.ofMinutes(10))
                .build());
    }

    ScheduleResult open() {
        return queue.schedule(queue.request(new ShopOpens("Berlin"))
                .dueAt(LocalDateTime.of(2027, 3, 28, 9, 30), ZoneId.of("Europe/Berlin"))
                .build());
    }

    void remindByDay(Customer customer) {
        queue.schedule(queue.request(new Reminder("customer-7"))
                .dueIn(Duration.ofHours(10))
                .within(DeliveryWindow.between(LocalTime.of(9, 0), LocalTime.of(21, 0))
                        .inZone(customer.zone())
                        .onWorkingDays("germany")) // or onDays(MONDAY, ...), or every day
                .build());
    }

    ScheduleResult remindOf(Instant appointment, DeliveryWindow officeHours) {
        return queue.schedule(queue.request(new Reminder("customer-7"))
                .dueAt(appointment.minus(Duration.ofHours(24)))
                .within(officeHours)
                .previousOpening() // rather earlier than later
                .notAfter(appointment)
                .build());
    }
}
