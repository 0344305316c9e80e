// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Instant;

/**
 * The answer to one scheduled task.
 *
 * @param id the task's id, given by the caller or made for it
 * @param outcome what happened
 * @param dueAt when the task that the queue now has under this id is due, by the Redis server's clock, in whole
 *     milliseconds: the new task's time, or the old one's where it was kept. Of a task that is {@link
 *     ScheduleOutcome#DEFERRED}: the time that was asked for, a delay counted by this process's clock from the call
 */
public record ScheduleResult(String id, ScheduleOutcome outcome, Instant dueAt) {}
