// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.Set;

/** For people and tools that look after queues. Safe for use by many threads. */
public interface DelayQueueAdmin {

    /** The names of the configured queues. */
    Set<String> queues();

    /** Counts of one queue. Costs one script call per shard, whatever the number of tasks. */
    QueueStats stats(String queue);
}
