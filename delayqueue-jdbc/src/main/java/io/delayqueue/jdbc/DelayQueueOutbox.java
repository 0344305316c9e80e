// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import java.util.List;

/**
 * Looks after the outbox. Every call asks the database; all throw Spring's {@code DataAccessException} when that fails.
 */
public interface DelayQueueOutbox {

    /** How much it holds, as read within the last few seconds. Cheap enough to be asked often. */
    OutboxStatistics statistics();

    /**
     * What was put aside because it can never be carried out, the oldest first.
     *
     * @param limit 1 to 1,000
     */
    List<RejectedOperation> rejected(int limit);

    /**
     * Puts what was rejected back into the outbox, behind what is there for its task, such as after the limits were
     * changed.
     *
     * @return false if there is nothing of this id
     */
    boolean retry(String rejectedId);

    /**
     * Deletes what was rejected.
     *
     * @return false if there is nothing of this id
     */
    boolean delete(String rejectedId);
}
