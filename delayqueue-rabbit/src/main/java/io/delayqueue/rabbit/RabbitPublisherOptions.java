// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.queue.Bound;
import java.time.Duration;

/**
 * How a {@link RabbitPublisher} treats its connection. Values of the connection factory that are stricter are kept.
 *
 * @param confirmTimeout how long to wait for the broker's confirms, and how long a write may hang; 100 ms to 5 min
 * @param rpcTimeout how long to wait for any other answer of the broker; 100 ms to 5 s
 * @param connectionTimeout how long connecting and the handshake may take each, for one address; 100 ms to 5 s
 * @param heartbeat after about twice this a silent broker counts as gone; 1 s to 60 s, in whole seconds
 * @param longestPause between two attempts to connect; the pauses grow up to it from 100 ms
 * @param connectionName by which the broker's tools show the connection
 */
public record RabbitPublisherOptions(
        Duration confirmTimeout,
        Duration rpcTimeout,
        Duration connectionTimeout,
        Duration heartbeat,
        Duration longestPause,
        String connectionName) {

    // above the defaults, which are checked against them
    private static final Duration SHORTEST = Duration.ofMillis(100);

    /** How long to wait for confirms. */
    public static final Bound<Duration> CONFIRM_TIMEOUT = new Bound<>(SHORTEST, Duration.ofMinutes(5));

    /** How long to wait for an answer of the broker, and for a connection. */
    public static final Bound<Duration> ANSWER_TIMEOUT = new Bound<>(SHORTEST, Duration.ofSeconds(5));

    /** How often the broker is to give a sign of life. */
    public static final Bound<Duration> HEARTBEAT = new Bound<>(Duration.ofSeconds(1), Duration.ofSeconds(60));

    /** The longest pause between two attempts to connect. */
    public static final Bound<Duration> LONGEST_PAUSE = new Bound<>(SHORTEST, Duration.ofMinutes(5));

    /** Confirms, answers and connecting 5 s, heartbeat 10 s, pauses up to 5 s. */
    public static final RabbitPublisherOptions DEFAULT = new RabbitPublisherOptions(
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            "delayqueue-publisher");

    public RabbitPublisherOptions {
        CONFIRM_TIMEOUT.check("confirm-timeout", confirmTimeout);
        ANSWER_TIMEOUT.check("rpc-timeout", rpcTimeout);
        ANSWER_TIMEOUT.check("connection-timeout", connectionTimeout);
        HEARTBEAT.check("heartbeat", heartbeat);
        LONGEST_PAUSE.check("longest-pause", longestPause);
    }

    /** These options with another connection name. */
    public RabbitPublisherOptions withConnectionName(String connectionName) {
        return new RabbitPublisherOptions(
                confirmTimeout, rpcTimeout, connectionTimeout, heartbeat, longestPause, connectionName);
    }
}
