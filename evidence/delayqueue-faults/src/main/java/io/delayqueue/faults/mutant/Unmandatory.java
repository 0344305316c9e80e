// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import java.io.IOException;

/** Called instead of {@link Channel#basicPublish(String, String, boolean, AMQP.BasicProperties, byte[])}. */
public final class Unmandatory {

    private Unmandatory() {}

    /** Publishes without the mandatory flag, whatever the caller requests. */
    public static void basicPublish(
            Channel channel,
            String exchange,
            String routingKey,
            boolean mandatory,
            AMQP.BasicProperties properties,
            byte[] body)
            throws IOException {
        channel.basicPublish(exchange, routingKey, false, properties, body);
    }
}
