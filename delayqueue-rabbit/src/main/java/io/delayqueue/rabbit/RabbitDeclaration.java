// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What to declare on the broker for one delay queue. All of it is durable.
 *
 * @param exchange name; not empty, for the default exchange cannot be declared
 * @param exchangeType as {@code direct}, {@code topic} or {@code fanout}
 * @param queue name of a broker's queue to declare and bind; null for the exchange alone
 * @param bindingKey under which the queue is bound
 * @param quorum whether the queue is a quorum queue rather than a classic one
 * @param queueArguments further arguments of the queue, such as {@code x-max-length}
 */
public record RabbitDeclaration(
        String exchange,
        String exchangeType,
        @Nullable String queue,
        String bindingKey,
        boolean quorum,
        Map<String, Object> queueArguments) {

    public RabbitDeclaration {
        if (exchange.isEmpty()) {
            throw new IllegalArgumentException("the default exchange is always there and cannot be declared");
        }
        queueArguments = Map.copyOf(queueArguments);
    }
}
