// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.CancelOutcome;
import io.delayqueue.GroupResult;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskIds;
import io.delayqueue.UpdateOutcome;

/**
 * A call that was made within a transaction and has been carried out after its commit.
 *
 * @param queue of the task
 * @param id of the task; for a change of a group {@link TaskIds#groupPrefix}
 * @param outcome a {@link ScheduleResult}, {@link CancelOutcome}, {@link RescheduleOutcome}, {@link UpdateOutcome} or
 *     {@link GroupResult}, as the call outside a transaction would have answered
 */
public record SentOperation(String queue, String id, Object outcome) {}
