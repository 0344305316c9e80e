// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

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
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(5);

    /** Confirms, answers and connecting 5 s, heartbeat 10 s, pauses up to 5 s. */
    public static final RabbitPublisherOptions DEFAULT = new RabbitPublisherOptions(
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            "delayqueue-publisher");

    public RabbitPublisherOptions {
        checkConfirmTimeout(confirmTimeout);
        check("rpc-timeout", rpcTimeout, SHORTEST, LONGEST_ANSWER);
        check("connection-timeout", connectionTimeout, SHORTEST, LONGEST_ANSWER);
        check("heartbeat", heartbeat, Duration.ofSeconds(1), Duration.ofSeconds(60));
        check("longest-pause", longestPause, SHORTEST, Duration.ofMinutes(5));
    }

    /** These options with another confirm time-out. */
    public RabbitPublisherOptions withConfirmTimeout(Duration confirmTimeout) {
        return new RabbitPublisherOptions(
                confirmTimeout, rpcTimeout, connectionTimeout, heartbeat, longestPause, connectionName);
    }

    /** These options with another connection name. */
    public RabbitPublisherOptions withConnectionName(String connectionName) {
        return new RabbitPublisherOptions(
                confirmTimeout, rpcTimeout, connectionTimeout, heartbeat, longestPause, connectionName);
    }

    static Duration checkConfirmTimeout(Duration confirmTimeout) {
        return check("confirm-timeout", confirmTimeout, SHORTEST, Duration.ofMinutes(5));
    }

    private static Duration check(String name, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    name + " must be between " + least + " and " + most + ", but is " + value);
        }
        return value;
    }
}
