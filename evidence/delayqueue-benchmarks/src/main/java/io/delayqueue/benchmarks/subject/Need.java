// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.benchmarks.server.BrokerQueue;
import org.jspecify.annotations.Nullable;

/**
 * The requirements of a workload for its subject.
 *
 * @param queues number of queues
 * @param shards number of shards of each queue, if the subject has shards
 * @param name first part of the keys, if the subject lets the user choose it
 * @param sink destination of due tasks; null for the broker or none
 * @param target the broker's queue for due tasks, or null
 */
public record Need(
        int queues,
        int shards,
        String name,
        @Nullable Sink sink,
        @Nullable BrokerQueue target) {

    private static final String NAME = "dq";

    /** Returns the need to store tasks without delivering them. */
    public static Need toKeep() {
        return new Need(1, 1, NAME, null, null);
    }

    /** Returns the need to deliver to the application. */
    public static Need toHandle(int queues, Sink sink) {
        return new Need(queues, 1, NAME, sink, null);
    }

    /** Returns the need to deliver to the broker. */
    public static Need toForward(BrokerQueue target) {
        return new Need(1, 1, NAME, null, target);
    }

    /** Returns this need with this number of shards and separate keys. */
    public Need sharded(int number, String keys) {
        return new Need(queues, number, keys, sink, target);
    }
}
