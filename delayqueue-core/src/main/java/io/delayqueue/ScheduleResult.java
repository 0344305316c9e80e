// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Instant;

/**
 * The result of scheduling one task.
 *
 * @param id the task's id, given or generated
 * @param outcome the outcome
 * @param dueAt due time of the task that now has this id, by the Redis server's clock, in whole milliseconds: the new
 *     task, or the existing one if it was kept. For {@link ScheduleOutcome#DEFERRED}, the requested time; a delay
 *     counts from the call by this process's clock, although with {@link TransactionMode#AFTER_COMMIT} it starts later.
 */
public record ScheduleResult(String id, ScheduleOutcome outcome, Instant dueAt) {}
