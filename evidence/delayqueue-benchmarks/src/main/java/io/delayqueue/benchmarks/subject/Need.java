// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.benchmarks.server.BrokerQueue;
import org.jspecify.annotations.Nullable;

/**
 * What a workload needs of its subject.
 *
 * @param queues how many queues
 * @param shards how many shards each, where the subject knows such
 * @param name first part of the keys, where the subject lets one choose it
 * @param sink where due tasks are to go, or null if to the broker or nowhere
 * @param target the broker's queue where due tasks are to go, or null
 */
public record Need(
        int queues,
        int shards,
        String name,
        @Nullable Sink sink,
        @Nullable BrokerQueue target) {

    private static final String NAME = "dq";

    /** Only keeps tasks; nothing is delivered. */
    public static Need toKeep() {
        return new Need(1, 1, NAME, null, null);
    }

    /** Delivers to the application. */
    public static Need toHandle(int queues, Sink sink) {
        return new Need(queues, 1, NAME, sink, null);
    }

    /** Delivers to the broker. */
    public static Need toForward(BrokerQueue target) {
        return new Need(1, 1, NAME, null, target);
    }

    /** Returns the same with so many shards, under keys of its own. */
    public Need sharded(int number, String keys) {
        return new Need(queues, number, keys, sink, target);
    }
}
