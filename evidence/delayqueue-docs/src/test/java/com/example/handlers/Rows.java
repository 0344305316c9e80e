// SPDX-License-Identifier: Apache-2.0
package com.example.handlers;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.TypedQueue;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.handler.NonRetryableTaskException;
import io.delayqueue.handler.TaskHandlerRegistry;
import io.delayqueue.rabbit.RabbitHeaders;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;

/** Batches, rounds, and how running handlers are stopped. */
abstract class Rows {

    private final TypedQueue<Row> reports;
    private final TaskHandlerRegistry taskHandlerRegistry;

    Rows(DelayQueueOperations delayQueue, TaskHandlerRegistry taskHandlerRegistry) {
        this.reports = delayQueue.queue("reports", Row.class);
        this.taskHandlerRegistry = taskHandlerRegistry;
    }

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

    @DelayQueueListener("reminders")
    void remind(DelayedTask<Row> task) {
        // send it
        task.againAt(LocalTime.of(9, 0), ZoneId.of("Europe/Berlin"));
    }

    void stopReport() {
        switch (reports.cancelAndInterrupt("report-42", Duration.ofSeconds(5))) {
            case CANCELLED, NOT_FOUND -> {} // no handler was running
            case INTERRUPTED -> cleanUp(); // a handler was running and has ended
            default -> alarm("still running"); // IN_FLIGHT: it did not end in time, or this is unknown
        }
    }

    void stopListener() {
        taskHandlerRegistry.getRegistration("orders").orElseThrow().stop();
    }

    void urgent(Row row) {
        reports.schedule(reports.request(row)
                .header(RabbitHeaders.PRIORITY, "9")
                .dueIn(Duration.ofMinutes(15))
                .build());
    }

    abstract boolean isValid(Row row);

    abstract void cleanUp();

    abstract void alarm(String text);
}
