// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import io.delayqueue.jdbc.ReceivedTask;
import io.delayqueue.rabbit.RabbitHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.Profile;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.stereotype.Component;

/** Receives time-outs from RabbitMQ. */
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
            @Headers Map<String, Object> headers,
            @Header(RabbitHeaders.DUE_AT) long dueAtMillis,
            @Header(RabbitHeaders.FENCING_TOKEN) long token) {
        Instant dueAt = Instant.ofEpochMilli(dueAtMillis);
        closer.timeIsUp(timeout, ReceivedTask.of(headers), dueAt, token, Duration.between(dueAt, Instant.now()));
    }
}
