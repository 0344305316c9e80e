// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import java.util.List;

/**
 * Inspects and manages the outbox. A bean; inject it. To write to the outbox, set {@code delayqueue.transactions} to
 * {@code outbox}, or use {@link io.delayqueue.DelayQueueOperations#inTransaction}. Every call reads the database and
 * throws Spring's {@code DataAccessException} if that fails.
 */
public interface DelayQueueOutbox {

    /** Returns statistics that are at most a few seconds old. Cheap enough for frequent calls. */
    OutboxStatistics statistics();

    /**
     * Returns rejected operations, which can never be executed, oldest first.
     *
     * @param limit 1 to 1,000
     */
    List<RejectedOperation> rejected(int limit);

    /**
     * Returns a rejected entry to the outbox, after the operations that are there for its task. Use it after you have
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
