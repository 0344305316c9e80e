// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.queue.QueueSettings;

/**
 * The destination of a queue's due tasks.
 *
 * @param queue its settings; thread count, batch size and idle interval are those of its trigger settings
 * @param destination receives the tasks
 * @param interceptors called around each delivery, by the engine unless the destination does so itself
 */
public record QueueDelivery(QueueSettings queue, TaskDestination destination, InterceptorChain interceptors) {}
