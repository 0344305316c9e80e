// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.delivery.Delivery;
import org.springframework.amqp.core.MessageProperties;

/**
 * Changes the properties of the message of a due task: type, priority, expiration, content type, and headers of any
 * AMQP type. Every bean of this type is called for every task of every RabbitMQ queue, in {@code @Order}:
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
 * <p>The message id, the headers that begin with {@code dq-} and the persistent delivery mode are set afterwards, so
 * that a customizer cannot change them. Messages that forward dead tasks, and those that an intake has stored, are not
 * customized.
 */
@FunctionalInterface
public interface RabbitMessageCustomizer {

    /**
     * Called for each attempt, on the delivering thread. It must be fast and must not settle the delivery. If it
     * throws, only that task's attempt fails.
     *
     * @param properties contains the task's headers, the timestamp, the content type, and the type, priority and
     *     expiration that headers of the task set
     */
    void customize(MessageProperties properties, Delivery delivery);
}
