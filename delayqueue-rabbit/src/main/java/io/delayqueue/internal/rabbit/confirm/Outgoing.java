// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

import com.rabbitmq.client.AMQP;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.rabbit.RabbitAddress;

/**
 * A task as it is to be published.
 *
 * @param delivery takes the outcome
 * @param to where the message goes
 * @param properties of the message
 */
public record Outgoing(OpenDelivery delivery, RabbitAddress to, AMQP.BasicProperties properties) {

    byte[] body() {
        return delivery.content().payload();
    }

    /** Names the task and its address, never its payload or headers. */
    @Override
    public String toString() {
        return "Outgoing[" + delivery + ", " + to + "]";
    }
}
