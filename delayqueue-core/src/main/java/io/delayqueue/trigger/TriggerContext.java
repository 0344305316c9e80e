// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import io.delayqueue.engine.Engine;
import io.delayqueue.engine.InterceptorChain;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.store.ShardOwnership;
import io.delayqueue.store.WakeSignals;

/**
 * What every trigger of an application shares.
 *
 * @param engine the store, and what settles and renews
 * @param queues the configured queues
 * @param wakeSignals wakes pollers
 * @param ownership shares the shards among processes
 * @param interceptors code around each delivery
 * @param virtualThreads whether deliveries run on virtual threads (which a JDK from 21 on has)
 */
public record TriggerContext(
        Engine engine,
        QueueCatalog queues,
        WakeSignals wakeSignals,
        ShardOwnership ownership,
        InterceptorChain interceptors,
        boolean virtualThreads) {}
