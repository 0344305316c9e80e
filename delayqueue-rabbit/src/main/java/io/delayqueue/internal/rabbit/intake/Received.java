// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.intake;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Envelope;

/**
 * A message that the broker has delivered to an intake.
 *
 * @param envelope delivery tag, routing key and redelivery flag of the message
 */
record Received(Envelope envelope, AMQP.BasicProperties properties, byte[] body) {

    /** Shows only the delivery tag. */
    @Override
    public String toString() {
        return "Received[" + envelope.getDeliveryTag() + "]";
    }
}
