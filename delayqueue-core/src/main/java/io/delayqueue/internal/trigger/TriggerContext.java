// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.trigger;

import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.store.WakeSignals;

/**
 * State that all triggers of an application share.
 *
 * @param engine engine that delivers the tasks
 * @param queues the configured queues
 * @param wakeSignals wakes pollers, and distributes the shards among processes
 * @param interceptors callbacks around each delivery
 * @param virtualThreads whether deliveries run on virtual threads (JDK 21 or later)
 */
public record TriggerContext(
        Engine engine,
        QueueCatalog queues,
        WakeSignals wakeSignals,
        InterceptorChain interceptors,
        boolean virtualThreads) {

    public TriggerContext with(QueueSettings changed) {
        return new TriggerContext(engine, queues.with(changed), wakeSignals, interceptors, virtualThreads);
    }
}
