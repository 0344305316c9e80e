// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.inbox;

import io.delayqueue.internal.jdbc.WritableTransaction;
import io.delayqueue.jdbc.DelayQueueInbox;
import io.delayqueue.jdbc.ReceivedTask;
import java.time.Clock;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Stores one row for each task that a committed transaction has accepted.
 *
 * @param clock clock for the receipt time of rows, which determines when they are deleted
 */
public record JdbcInbox(JdbcOperations jdbc, WritableTransaction transaction, InboxTable table, Clock clock)
        implements DelayQueueInbox {

    @Override
    public boolean accept(ReceivedTask task) {
        transaction.require("The inbox commits accepted tasks together with their effect");
        try {
            return jdbc.update(table.insert(), task.consumer(), task.taskKey(), clock.millis()) > 0;
        } catch (DuplicateKeyException ex) {
            return false;
        }
    }
}
