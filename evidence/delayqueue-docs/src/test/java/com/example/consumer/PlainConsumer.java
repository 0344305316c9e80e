// SPDX-License-Identifier: Apache-2.0
package com.example.consumer;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.handler.annotation.Header;

/** An application that has Spring AMQP and nothing of this library. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration(RabbitAutoConfiguration.class)
public class PlainConsumer {

    /** The payload, as this application has it. */
    public record OrderTimeout(String orderId) {}

    private final BlockingQueue<String> closed = new LinkedBlockingQueue<>();

    @RabbitListener(queues = "orders.plain")
    void timeIsUp(OrderTimeout timeout, @Header("dq-task-key") String taskKey) {
        closed.add(timeout.orderId() + " " + taskKey.length());
    }

    /** Returns the orders that were closed. */
    public BlockingQueue<String> closed() {
        return closed;
    }

    @Bean
    Queue orders() {
        return new Queue("orders.plain");
    }

    @Bean
    MessageConverter jsonMessages() {
        return new JacksonJsonMessageConverter();
    }
}
