// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Instant;

/**
 * The result of scheduling one task.
 *
 * @param id the task's id, given or generated
 * @param outcome the outcome
 * @param dueAt due time of the stored task, new or kept, by the Redis server's clock, in whole milliseconds. For {@link
 *     ScheduleOutcome#DEFERRED}, the requested time; a delay is measured from the call by this process's clock,
 *     although it starts only after the commit with {@link TransactionMode#AFTER_COMMIT}.
 */
public record ScheduleResult(String id, ScheduleOutcome outcome, Instant dueAt) {}
