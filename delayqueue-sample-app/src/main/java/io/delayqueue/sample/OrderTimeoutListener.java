// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import io.delayqueue.rabbit.RabbitHeaders;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.stereotype.Component;

/** Closes orders whose time is up. */
@Component
class OrderTimeoutListener {

    private static final Logger log = LoggerFactory.getLogger(OrderTimeoutListener.class);

    private final OrderService service;
    private final SeenMessages seen = new SeenMessages(10_000);
    private final ShopCounters counters;

    OrderTimeoutListener(OrderService service, ShopCounters counters) {
        this.service = service;
        this.counters = counters;
    }

    @RabbitListener(queues = "orders.timeout")
    void onTimeout(
            OrderTimeout timeout,
            @Header(AmqpHeaders.MESSAGE_ID) String messageId,
            @Header(RabbitHeaders.DUE_AT) long dueAtMillis) {
        if (!seen.firstTime(messageId, dueAtMillis)) {
            counters.duplicate();
            return;
        }
        Duration lateness = Duration.between(Instant.ofEpochMilli(dueAtMillis), Instant.now());
        if (service.close(timeout.orderId())) {
            counters.closed(lateness);
            log.info("closed order {}, {} ms after it was due", timeout.orderId(), lateness.toMillis());
        } else {
            counters.closedTooLate();
        }
    }
}
