// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.isolation;

import java.time.Duration;

/**
 * Options for publishing the tasks of one queue.
 *
 * @param confirmTimeout how long to wait for confirms
 * @param batchesAhead maximum number of unconfirmed batches after {@code deliver} has returned; with 0, all tasks are
 *     settled before it returns
 * @param countNacks whether a nack is a failed attempt of the task
 */
public record PublishingOptions(Duration confirmTimeout, int batchesAhead, boolean countNacks) {}
