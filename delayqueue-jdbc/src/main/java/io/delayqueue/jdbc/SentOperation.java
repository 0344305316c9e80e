// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.CancelOutcome;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleResult;
import io.delayqueue.UpdateOutcome;

/**
 * A call that was made within a transaction and has been carried out after its commit.
 *
 * @param queue of the task
 * @param id of the task
 * @param outcome a {@link ScheduleResult}, {@link CancelOutcome}, {@link RescheduleOutcome} or {@link UpdateOutcome},
 *     as the call outside a transaction would have answered
 */
public record SentOperation(String queue, String id, Object outcome) {}
