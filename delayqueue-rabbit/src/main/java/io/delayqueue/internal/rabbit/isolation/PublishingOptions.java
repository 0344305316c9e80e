// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.isolation;

import java.time.Duration;

/**
 * How the tasks of one queue are published.
 *
 * @param confirmTimeout how long to wait for confirms
 * @param batchesAhead how many batches may be unconfirmed when their {@code deliver} has returned; with 0 all outcomes
 *     are called before it returns
 * @param countNacks whether a nack is a failed attempt of the task
 */
public record PublishingOptions(Duration confirmTimeout, int batchesAhead, boolean countNacks) {}
