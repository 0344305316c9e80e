// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import com.rabbitmq.client.AMQP;
import io.delayqueue.delivery.Delivery;

/**
 * A task as it is to be published.
 *
 * @param delivery takes the outcome
 * @param exchange where to
 * @param routingKey where to
 * @param properties of the message
 */
record Outgoing(Delivery delivery, String exchange, String routingKey, AMQP.BasicProperties properties) {

    byte[] body() {
        return delivery.content().payload();
    }

    OutgoingMapper.Address to() {
        return new OutgoingMapper.Address(exchange, routingKey);
    }

    /** Where to, for a reason. */
    String address() {
        return "exchange '" + exchange + "', routing key '" + routingKey + "'";
    }

    /** Names the task and its address, never its payload or headers. */
    @Override
    public String toString() {
        return "Outgoing[" + delivery + ", " + address() + "]";
    }
}
