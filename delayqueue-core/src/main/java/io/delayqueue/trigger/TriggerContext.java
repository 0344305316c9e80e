// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.store.ShardOwnership;
import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.queue.QueueCatalog;

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
