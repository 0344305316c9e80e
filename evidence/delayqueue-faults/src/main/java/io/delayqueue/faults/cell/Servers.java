// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The servers of one run of a cell. The constructor starts them, and {@link #close()} ends them. */
public interface Servers extends AutoCloseable {

    /**
     * Returns the properties that lead the applications through the disturbing proxies to the servers, such as {@code
     * spring.data.redis.url=...}.
     */
    List<String> forApplications();

    /**
     * Returns the properties of the observer, which reaches the servers without the proxies. It reads the final state
     * and consumes messages.
     */
    List<String> forObserver();

    /**
     * Returns the Redis server whose clock determines when tasks are due, without the proxies: {@code
     * redis://host:port}.
     */
    URI clock();

    /** Returns kinds and versions, such as {@code Redis 7.0.15, RabbitMQ 3.10.8}. */
    String versions();

    /** Returns whether the broker's queue of the forwarded tasks exists already. */
    default boolean hasBrokerQueue() {
        return false;
    }

    /** Returns whether no call waits in a database to be sent to Redis. */
    default boolean isDrained() {
        return true;
    }

    /** Returns how long a call may wait in a database, after the last fault, before it reaches Redis. */
    default Duration longestWait() {
        return Duration.ZERO;
    }

    /**
     * Adds data to the histories that only the servers have. Called when the applications have ended.
     *
     * @param histories their folder
     */
    default void complete(Path histories) {}

    /**
     * Returns a description of each thing that should not be left outside Redis. Called when the applications have
     * ended.
     */
    default List<String> leftOver() {
        return List.of();
    }

    @Override
    void close();
}
