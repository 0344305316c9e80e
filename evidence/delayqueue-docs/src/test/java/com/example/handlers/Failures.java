// SPDX-License-Identifier: Apache-2.0
package com.example.handlers;

import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.annotation.ListenerRetry;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDied;
import io.delayqueue.handler.DeliveryErrorHandler;
import io.delayqueue.handler.FailureCounting;
import io.delayqueue.handler.RetryLaterException;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.dao.TransientDataAccessException;

/** What happens after a failed attempt. */
class Failures {

    private final Alarm alarm;

    Failures(Alarm alarm) {
        this.alarm = alarm;
    }

    interface Alarm {

        void raise(String queue, String id, String reason);
    }

    static class OrderGoneException extends RuntimeException {}

    static class ShopClosedException extends RuntimeException {}

    @Bean
    FailureCounting counting() {
        return (delivery, error) -> !(error instanceof TransientDataAccessException);
    }

    @Bean
    DeliveryErrorHandler errors() {
        return (delivery, error) -> {
            if (error instanceof OrderGoneException) {
                delivery.settle(Outcome.delivered()); // nothing to do
            } else if (error instanceof ShopClosedException) {
                throw new RetryLaterException("closed", Duration.ofHours(8)); // counts instead
            }
        };
    }

    @EventListener
    void died(TaskDied event) {
        alarm.raise(event.queue(), event.id(), event.reason());
    }

    @DelayQueueListener(
            queues = {"orders", "returns"}, // each has its own handler; or queue = "orders"
            concurrency = "${orders.threads:4}",
            timeout = "2m",
            retry = @ListenerRetry(maxRetries = "2", delay = "5s", excludes = IllegalArgumentException.class),
            errorHandler = "orderErrors")
    void timeIsUp(OrderTimeout timeout) {}
}
