// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.publisher;

import org.jspecify.annotations.Nullable;

/**
 * The configured route for the tasks of one queue. The trigger supplies missing values.
 *
 * @param exchange name of the exchange; empty for the broker's default exchange
 * @param routingKey routing key; null for the queue's name
 * @param countNacks whether a nack counts as a failed attempt; if not, the target counts as full, and the task waits
 */
public record RabbitRoute(
        @Nullable String exchange, @Nullable String routingKey, boolean countNacks) {

    /** A route without settings. The trigger supplies all values. */
    public static final RabbitRoute NONE = new RabbitRoute(null, null);

    /** Creates a route that does not count nacks. */
    public RabbitRoute(@Nullable String exchange, @Nullable String routingKey) {
        this(exchange, routingKey, false);
    }
}
