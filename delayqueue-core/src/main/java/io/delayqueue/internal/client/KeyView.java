// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.KeyedQueue;
import io.delayqueue.TaskGroup;
import io.delayqueue.TaskHandle;
import io.delayqueue.TaskIds;
import java.util.function.Function;

/**
 * A key of one queue.
 *
 * @param groups creates a group of the key
 */
record KeyView(DelayQueueOperations operations, String queue, String name, Function<String, TaskGroup> groups)
        implements KeyedQueue {

    @Override
    public TaskHandle task(String id) {
        return new TaskHandle(operations, queue, TaskIds.of(name, null, id));
    }

    @Override
    public TaskGroup group(String group) {
        return groups.apply(group);
    }
}
