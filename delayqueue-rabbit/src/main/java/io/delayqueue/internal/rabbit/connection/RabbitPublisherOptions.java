// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.connection;

import io.delayqueue.internal.input.Bound;
import io.delayqueue.internal.rabbit.publisher.RabbitPublisher;
import java.time.Duration;

/**
 * Options of a {@link RabbitPublisher}'s connection. Stricter values of the connection factory are kept.
 *
 * @param confirmTimeout maximum wait for confirms and maximum duration of a write; 100 ms to 5 min
 * @param rpcTimeout maximum wait for other replies of the broker; 100 ms to 5 s
 * @param connectionTimeout maximum duration of connecting, and also of the handshake, for each address; 100 ms to 5 s
 * @param heartbeat a broker that is silent for about twice this time counts as down; 1 s to 60 s, in whole seconds
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

    // declared before the defaults, which are checked against them
    private static final Duration SHORTEST = Duration.ofMillis(100);

    /** How long to wait for confirms. */
    public static final Bound<Duration> CONFIRM_TIMEOUT = new Bound<>(SHORTEST, Duration.ofMinutes(5));

    /** How long to wait for other replies of the broker and for a connection. */
    public static final Bound<Duration> ANSWER_TIMEOUT = new Bound<>(SHORTEST, Duration.ofSeconds(5));

    /** How often the broker must send a sign of life. */
    public static final Bound<Duration> HEARTBEAT = new Bound<>(Duration.ofSeconds(1), Duration.ofSeconds(60));

    /** The maximum pause between attempts to connect. */
    public static final Bound<Duration> LONGEST_PAUSE = new Bound<>(SHORTEST, Duration.ofMinutes(5));

    /** Confirms, replies and connecting 5 s, heartbeat 10 s, pauses up to 5 s. */
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

    /** Returns these options with another connection name. */
    public RabbitPublisherOptions withConnectionName(String connectionName) {
        return new RabbitPublisherOptions(
                confirmTimeout, rpcTimeout, connectionTimeout, heartbeat, longestPause, connectionName);
    }
}
