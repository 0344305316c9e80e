// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

/**
 * A group in a queue.
 *
 * @param count number of its live tasks
 */
public record GroupCount(String queue, String group, long count) {}
