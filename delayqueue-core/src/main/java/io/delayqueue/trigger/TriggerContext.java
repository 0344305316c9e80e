// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import io.delayqueue.engine.Settler;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.store.TaskStore;
import io.delayqueue.store.WakeSignals;

/**
 * What every trigger of an application shares.
 *
 * @param store where tasks are
 * @param queues the configured queues
 * @param settler ends leases
 * @param wakeSignals wakes pollers
 * @param virtualThreads whether deliveries run on virtual threads (which a JDK from 21 on has)
 */
public record TriggerContext(
        TaskStore store, QueueCatalog queues, Settler settler, WakeSignals wakeSignals, boolean virtualThreads) {}
