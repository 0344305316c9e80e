// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import io.delayqueue.rabbit.RabbitHeaders;
import java.time.Duration;
import java.time.Instant;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.Profile;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.stereotype.Component;

/** Takes time-outs from RabbitMQ. */
@Component
@Profile("!brokerless")
class OrderTimeoutListener {

    private final OrderCloser closer;

    OrderTimeoutListener(OrderCloser closer) {
        this.closer = closer;
    }

    @RabbitListener(queues = "orders.timeout")
    void onTimeout(
            OrderTimeout timeout,
            @Header(RabbitHeaders.TASK_KEY) String taskKey,
            @Header(RabbitHeaders.DUE_AT) long dueAtMillis) {
        Duration lateness = Duration.between(Instant.ofEpochMilli(dueAtMillis), Instant.now());
        closer.timeIsUp(timeout, taskKey, dueAtMillis, lateness);
    }
}
