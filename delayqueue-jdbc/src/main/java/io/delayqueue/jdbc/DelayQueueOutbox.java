// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import java.util.List;

/**
 * Inspects and manages the outbox. Inject this bean into your code. To write to the outbox, set {@code
 * delayqueue.transactions} to {@code outbox}, or use {@link io.delayqueue.DelayQueueOperations#inTransaction}. Every
 * call accesses the database and throws Spring's {@code DataAccessException} if that fails.
 */
public interface DelayQueueOutbox {

    /** Returns statistics that are at most a few seconds old. Cheap enough for frequent calls. */
    OutboxStatistics statistics();

    /**
     * Returns operations that can never be executed and were rejected, oldest first.
     *
     * @param limit 1 to 1,000
     */
    List<RejectedOperation> rejected(int limit);

    /**
     * Moves a rejected entry back to the outbox, after the other operations for its task. Call this after you have
     * removed the cause, for example a limit.
     *
     * @return {@code false} if the id is unknown
     */
    boolean retry(String rejectedId);

    /**
     * Deletes a rejected entry.
     *
     * @return {@code false} if the id is unknown
     */
    boolean delete(String rejectedId);
}
