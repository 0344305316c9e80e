// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.internal.calls.BoundedStages;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.sharding.ShardedGroups;
import io.delayqueue.internal.sharding.ShardedTasks;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;

/** The parts that a template and its changes share. */
record ClientParts(
        QueueCatalog queues,
        PayloadCodecs codecs,
        TaskBounds bounds,
        QueueClock clock,
        ShardedTasks tasks,
        ShardedGroups groups,
        Scheduler calling,
        BoundedStages stages,
        BoundedWait waiting,
        Duration timeout) {

    static ClientParts of(
            TaskStore store,
            QueueCatalog queues,
            Shardings shardings,
            PayloadCodecs codecs,
            TaskBounds bounds,
            ClientOptions options) {
        Scheduler calling = Scheduler.forCalls();
        Duration timeout = options.callTimeout();
        return new ClientParts(
                queues,
                codecs,
                bounds,
                store.clock(),
                new ShardedTasks(store, shardings, timeout, calling),
                new ShardedGroups(store, shardings, timeout, calling),
                calling,
                new BoundedStages(options.maxPendingTasks(), calling),
                new BoundedWait(timeout),
                timeout);
    }
}
