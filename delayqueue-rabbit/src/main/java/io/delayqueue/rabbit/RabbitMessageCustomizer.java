// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.delivery.Delivery;
import org.springframework.amqp.core.MessageProperties;

/**
 * Callback to customize the message properties of a due task: type, priority, expiration, content type, and headers of
 * any AMQP type. All beans of this type are called for each task of every queue that delivers to RabbitMQ, in {@code
 * @Order}:
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
 * <p>A customizer cannot change the message id, the headers that begin with {@code dq-} and the persistent delivery
 * mode, which are set afterwards. Messages that forward dead tasks or were stored by an intake are not customized.
 */
@FunctionalInterface
public interface RabbitMessageCustomizer {

    /**
     * Called for each attempt, on the delivering thread. Must be fast and must not settle the delivery. If it throws,
     * only the attempt of this task fails.
     *
     * @param properties properties with the task's headers, the timestamp, the content type, and the type, priority and
     *     expiration from headers of the task
     */
    void customize(MessageProperties properties, Delivery delivery);
}
