// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.engine;

import io.delayqueue.queue.QueueLayouts;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.store.LayoutStore;
import io.delayqueue.store.TaskStore;

/**
 * Where the dead tasks of a queue are.
 *
 * @param queue whose
 * @param store holds them
 * @param layouts says in how many shards
 * @param layoutStore settles which process forwards them
 */
public record DeadTasks(QueueSettings queue, TaskStore store, QueueLayouts layouts, LayoutStore layoutStore) {}
