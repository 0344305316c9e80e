// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.publisher;

import org.jspecify.annotations.Nullable;

/**
 * The declarations on the broker for one delay queue. All of them are durable.
 *
 * @param exchange name of the exchange; must not be empty, because the default exchange cannot be declared
 * @param exchangeType type of the exchange, such as {@code direct}, {@code topic} or {@code fanout}
 * @param queue name of a RabbitMQ queue to declare and bind; null to declare only the exchange
 * @param bindingKey binding key of the queue
 */
public record RabbitDeclaration(
        String exchange, String exchangeType, @Nullable String queue, String bindingKey) {

    public RabbitDeclaration {
        if (exchange.isEmpty()) {
            throw new IllegalArgumentException("The default exchange always exists and cannot be declared");
        }
    }
}
