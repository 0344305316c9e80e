// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.connection;

import io.delayqueue.internal.input.Bound;
import io.delayqueue.internal.rabbit.publisher.RabbitPublisher;
import java.time.Duration;

/**
 * Options for the connection of a {@link RabbitPublisher}. Stricter values of the connection factory take precedence.
 *
 * @param confirmTimeout maximum wait for confirms and maximum duration of a write; 100 ms to 5 min
 * @param rpcTimeout maximum wait for other replies from the broker
 * @param connectionTimeout maximum duration of the connect and of the handshake, for each address
 * @param heartbeat interval of heartbeats, in whole seconds; a broker counts as down if it is silent for about twice
 *     this time
 * @param longestPause maximum pause between attempts to connect; pauses grow from 100 ms
 * @param connectionName name of the connection in the broker's tools
 */
public record RabbitPublisherOptions(
        Duration confirmTimeout,
        Duration rpcTimeout,
        Duration connectionTimeout,
        Duration heartbeat,
        Duration longestPause,
        String connectionName) {

    /** Bounds of the confirm time-out. Declared before the defaults, which are checked against them. */
    public static final Bound<Duration> CONFIRM_TIMEOUT = new Bound<>(Duration.ofMillis(100), Duration.ofMinutes(5));

    /** Time-outs of 5 s for confirms, replies and connecting, a heartbeat of 10 s, and pauses of up to 5 s. */
    public static final RabbitPublisherOptions DEFAULT = new RabbitPublisherOptions(
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            "delayqueue-publisher");

    public RabbitPublisherOptions {
        CONFIRM_TIMEOUT.check("confirm-timeout", confirmTimeout);
    }

    /** Returns these options with another connection name. */
    public RabbitPublisherOptions withConnectionName(String connectionName) {
        return new RabbitPublisherOptions(
                confirmTimeout, rpcTimeout, connectionTimeout, heartbeat, longestPause, connectionName);
    }
}
