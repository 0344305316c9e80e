// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import java.time.Instant;

/**
 * Operations of one task that could never be carried out, and were put aside so that they block nothing.
 *
 * @param rejectedId by which it is tried again or deleted
 * @param queue of the task
 * @param id of the task; for tasks of a group {@link io.delayqueue.TaskIds#groupPrefix}
 * @param reason why
 * @param rejectedAt when, by the clock of the process that put it aside
 */
public record RejectedOperation(String rejectedId, String queue, String id, String reason, Instant rejectedAt) {}
