// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

/** Moves the messages of a broker's queue to Redis, while it runs. */
interface Consumption extends AutoCloseable {

    void start();

    /** Stops; messages stay in the broker's queue. */
    void stop();

    /** Returns the Redis sorted set whose members are the stored messages. */
    String index();

    @Override
    void close();
}
