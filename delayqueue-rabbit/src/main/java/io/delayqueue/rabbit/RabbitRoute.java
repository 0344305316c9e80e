// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The configured route of the tasks of one queue. The trigger decides what is null here.
 *
 * @param exchange name of the exchange; empty for the broker's default exchange
 * @param routingKey null for the name of the queue
 * @param confirmTimeout null for that of the publisher
 * @param countNacks whether a nack is a failed attempt of the task; otherwise its queue counts as full, and the task
 *     waits
 * @param message what every message carries
 */
public record RabbitRoute(
        @Nullable String exchange,
        @Nullable String routingKey,
        @Nullable Duration confirmTimeout,
        boolean countNacks,
        RabbitMessageSettings message) {

    /** A route that leaves everything to the trigger. */
    public static final RabbitRoute NONE = new RabbitRoute(null, null, null);

    public RabbitRoute {
        if (confirmTimeout != null) {
            RabbitPublisherOptions.CONFIRM_TIMEOUT.check("confirm-timeout", confirmTimeout);
        }
    }

    /** A route of messages that carry nothing special, whose nacks do not count. */
    public RabbitRoute(@Nullable String exchange, @Nullable String routingKey, @Nullable Duration confirmTimeout) {
        this(exchange, routingKey, confirmTimeout, false, RabbitMessageSettings.NONE);
    }
}
