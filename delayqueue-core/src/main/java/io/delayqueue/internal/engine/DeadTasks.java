// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.sharding.QueueLayouts;
import io.delayqueue.internal.store.LayoutStore;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.queue.QueueSettings;

/**
 * Where the dead tasks of a queue are.
 *
 * @param queue whose
 * @param store holds them
 * @param layouts says in how many shards
 * @param layoutStore settles which process forwards them
 */
public record DeadTasks(QueueSettings queue, TaskStore store, QueueLayouts layouts, LayoutStore layoutStore) {}
