// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.DelayQueueException;
import org.jspecify.annotations.Nullable;

/**
 * The destination of a message in RabbitMQ.
 *
 * @param exchange name of the exchange; empty for the broker's default exchange
 * @param routingKey the routing key; may be empty
 */
public record RabbitAddress(String exchange, String routingKey) {

    /** @throws DelayQueueException if an argument is {@code null} */
    public RabbitAddress {
        require("exchange", exchange);
        require("routing key", routingKey);
    }

    private static void require(String what, @Nullable String value) {
        if (value == null) {
            throw new DelayQueueException(
                    "The " + what + " of a RabbitMQ address is null. Use an empty string for none");
        }
    }

    /** Returns a description for reasons and messages. */
    @Override
    public String toString() {
        return "exchange '" + exchange + "', routing key '" + routingKey + "'";
    }
}
