// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import java.time.Instant;

/**
 * Operations of a task that can never be executed. They are stored separately, so that they do not block other
 * operations.
 *
 * @param rejectedId identifies the entry for a retry or deletion
 * @param queue queue of the task
 * @param id id of the task, or {@link io.delayqueue.TaskIds#groupPrefix} for a group
 * @param reason reason for the rejection
 * @param rejectedAt time of the rejection, by the clock of the process
 */
public record RejectedOperation(String rejectedId, String queue, String id, String reason, Instant rejectedAt) {}
