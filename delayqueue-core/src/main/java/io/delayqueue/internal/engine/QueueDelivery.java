// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.queue.QueueSettings;

/**
 * Where the due tasks of a queue go.
 *
 * @param queue its settings; thread count, batch size and idle interval are those of its trigger settings
 * @param destination takes them
 * @param interceptors called around each delivery, by the engine unless the destination does so itself
 */
public record QueueDelivery(QueueSettings queue, TaskDestination destination, InterceptorChain interceptors) {}
