// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import org.jspecify.annotations.Nullable;

/**
 * The configured route of the tasks of one queue. The trigger decides what is null here.
 *
 * @param exchange name of the exchange; empty for the broker's default exchange
 * @param routingKey null for the name of the queue
 * @param countNacks whether a nack is a failed attempt of the task; otherwise its queue counts as full, and the task
 *     waits
 */
public record RabbitRoute(
        @Nullable String exchange, @Nullable String routingKey, boolean countNacks) {

    /** A route that leaves everything to the trigger. */
    public static final RabbitRoute NONE = new RabbitRoute(null, null);

    /** A route whose nacks do not count. */
    public RabbitRoute(@Nullable String exchange, @Nullable String routingKey) {
        this(exchange, routingKey, false);
    }
}
