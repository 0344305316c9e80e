// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The servers of one run of a cell, started by the constructor and ended by {@link #close()}. */
public interface Servers extends AutoCloseable {

    /**
     * Returns the properties by which the applications reach them, as {@code spring.data.redis.url=...}: through what
     * disturbs.
     */
    List<String> forApplications();

    /**
     * Returns the properties by which the observer reaches them, who reads the end state and consumes: past what
     * disturbs.
     */
    List<String> forObserver();

    /** Returns a Redis server whose clock tasks are due by, past what disturbs: {@code redis://host:port}. */
    URI clock();

    /** Kinds and versions, as {@code Redis 7.0.15, RabbitMQ 3.10.8}. */
    String versions();

    /** Returns whether the broker's queue of the forwarded tasks exists already. */
    default boolean hasBrokerQueue() {
        return false;
    }

    /** Returns whether nothing waits in a database on its way to Redis. */
    default boolean isDrained() {
        return true;
    }

    /** For how long at most a call may wait in a database after the last fault, before it comes to Redis. */
    default Duration longestWait() {
        return Duration.ZERO;
    }

    /**
     * Writes to the histories what only the servers know. Called when the applications have ended.
     *
     * @param histories their folder
     */
    default void complete(Path histories) {}

    /**
     * Returns what is left outside Redis although nothing should be, each in words. It is called when the applications
     * have ended.
     */
    default List<String> leftOver() {
        return List.of();
    }

    @Override
    void close();
}
