// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Instant;

/**
 * The answer to one scheduled task.
 *
 * @param id the task's id, given by the caller or made for it
 * @param outcome what happened
 * @param dueAt when the task that the queue now has under this id is due, by the Redis server's clock, in whole
 *     milliseconds: the new task's time, or the old one's where it was kept
 */
public record ScheduleResult(String id, ScheduleOutcome outcome, Instant dueAt) {}
