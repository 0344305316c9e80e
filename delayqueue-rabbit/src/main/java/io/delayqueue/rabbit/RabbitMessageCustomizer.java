// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.delivery.Delivery;
import org.springframework.amqp.core.MessageProperties;

/**
 * Changes the properties of the message that carries a due task: type, priority, expiration, content type, headers of
 * any type that AMQP has. Every bean of this type is asked for every task of every RabbitMQ queue, in the order of
 * {@code @Order}:
 *
 * <pre>{@code
 * @Bean
 * RabbitMessageCustomizer urgentFirst() {
 *     return (properties, delivery) -> {
 *         if (delivery.queue().equals("orders")) {
 *             properties.setPriority("gold".equals(delivery.content().headers().get("tier")) ? 9 : 1);
 *             properties.setHeader("retries", delivery.attempt() - 1);
 *         }
 *     };
 * }
 * }</pre>
 *
 * <p>What identifies the task is set afterwards and stays: the message id, the headers that begin with {@code dq-}, and
 * that the message is persistent. Messages that forward dead tasks, and those that an intake has stored, are not
 * customized.
 */
@FunctionalInterface
public interface RabbitMessageCustomizer {

    /**
     * Called for each attempt, on the thread that delivers; must be quick and leave the delivery's outcome alone. If it
     * throws, that task's attempt fails, and the others of its batch go on.
     *
     * @param properties with the task's headers, the timestamp, and what the queue's settings say
     */
    void customize(MessageProperties properties, Delivery delivery);
}
