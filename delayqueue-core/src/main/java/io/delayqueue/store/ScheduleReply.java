// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.store;

import io.delayqueue.ScheduleOutcome;
import java.time.Instant;

/**
 * The store's answer to one new task.
 *
 * @param outcome what happened
 * @param dueAt due time of the task now held under this id
 */
public record ScheduleReply(ScheduleOutcome outcome, Instant dueAt) {}
