// SPDX-License-Identifier: Apache-2.0
package com.example.rabbit;

import io.delayqueue.TypedQueue;
import io.delayqueue.rabbit.RabbitHeaders;
import io.delayqueue.rabbit.RabbitMessageCustomizer;
import java.time.Duration;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.context.annotation.Bean;

/** The code of docs/configuration.md. */
class Messages {

    void urgent(TypedQueue<OrderTimeout> orders, OrderTimeout timeout) {
        orders.schedule(orders.request(timeout)
                .header(RabbitHeaders.PRIORITY, "9")
                .dueIn(Duration.ofMinutes(15))
                .build());
    }

    @Bean
    RabbitMessageCustomizer urgentFirst() {
        return (properties, delivery) -> {
            if (delivery.queue().equals("orders")) {
                properties.setPriority(
                        "gold".equals(delivery.content().headers().get("tier")) ? 9 : 1);
                properties.setHeader("retries", delivery.attempt() - 1);
            }
        };
    }

    @Bean(defaultCandidate = false) // so that spring.rabbitmq stays the application's
    CachingConnectionFactory mailBroker() {
        return new CachingConnectionFactory("mails.example");
    }
}
