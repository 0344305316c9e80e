// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.queue.QueueSettings;

/**
 * The destination of a queue's due tasks.
 *
 * @param queue settings of the queue; its trigger settings determine the thread count, batch size and idle interval
 * @param destination receives the tasks
 * @param interceptors interceptors that the engine, or the destination itself, calls around each delivery
 */
public record QueueDelivery(QueueSettings queue, TaskDestination destination, InterceptorChain interceptors) {}
