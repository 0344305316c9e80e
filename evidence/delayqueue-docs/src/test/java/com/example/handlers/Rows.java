// SPDX-License-Identifier: Apache-2.0
package com.example.handlers;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TypedQueue;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.HandlerRegistration;
import io.delayqueue.handler.NonRetryableTaskException;
import io.delayqueue.handler.TaskHandlerRegistry;
import java.time.Duration;
import java.util.List;

/** How tasks are scheduled, handled in batches and rounds, and stopped. */
abstract class Rows {

    private final DelayQueueOperations delayQueue;
    private final TypedQueue<Row> reports;
    private final TaskHandlerRegistry taskHandlerRegistry;

    Rows(DelayQueueOperations delayQueue, TaskHandlerRegistry taskHandlerRegistry) {
        this.delayQueue = delayQueue;
        this.reports = delayQueue.queue("reports", Row.class);
        this.taskHandlerRegistry = taskHandlerRegistry;
    }

    record Order(String id) {}

    record Reminder(String customer) {}

    record Row(String text) {}

    @DelayQueueListener(value = "rows", batchSize = "100", maxWait = "5s")
    void insert(List<DelayedTask<Row>> tasks) {
        for (DelayedTask<Row> task : tasks) {
            if (!isValid(task.payload())) {
                task.fail(new NonRetryableTaskException("not valid"));
            }
        }
        // insert the others
    }

    @DelayQueueListener(queue = "reminders")
    void remind(DelayedTask<Reminder> task) {
        // send it
        task.again(Duration.ofDays(1));
    }

    void placed(Order order) {
        delayQueue.schedule(ScheduleRequest.to("orders")
                .payload(new OrderTimeout(order.id()))
                .dueIn(Duration.ofMinutes(15))
                .build());
    }

    void stopReport() {
        switch (reports.cancelAndInterrupt("report-42", Duration.ofSeconds(5))) {
            case CANCELLED, DISCARDED_DEAD, NOT_FOUND -> {} // nothing to stop
            case INTERRUPTED -> cleanUp(); // the handler that held the lease has ended
            default -> alarm("still running"); // IN_FLIGHT: it did not end in time, or this is unknown
        }
    }

    void stopListener() {
        taskHandlerRegistry.getRegistration("orders").orElseThrow().stop();
    }

    void register() {
        HandlerRegistration registration =
                taskHandlerRegistry.register("orders", OrderTimeout.class, task -> close(task.payload()));
        registration.stop();
    }

    abstract boolean isValid(Row row);

    abstract void close(OrderTimeout timeout);

    abstract void cleanUp();

    abstract void alarm(String text);
}
