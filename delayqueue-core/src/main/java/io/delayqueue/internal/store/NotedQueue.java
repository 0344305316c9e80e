// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

/**
 * A queue and its settings, as recorded by one or more processes.
 *
 * @param delivers whether the process delivers the queue's tasks
 * @param settings settings of the queue in the process, as a string
 * @param process the last process that recorded these settings
 * @param alive whether a live process has these settings
 */
public record NotedQueue(String queue, boolean delivers, String settings, String process, boolean alive) {}
