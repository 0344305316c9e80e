// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.jdbc.schema.Database;
import io.delayqueue.internal.jdbc.schema.SchemaCheck;
import io.delayqueue.internal.jdbc.schema.TableNames;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/** Deletes rows of the outbox and of its rejected operations, also in a process that does not use the outbox. */
public final class OutboxErasure {

    private static final int PAGE = 500;
    /** How long to wait for a row that another transaction has locked. */
    private static final int LONGEST_SECONDS = 10;

    private final DataSource dataSource;
    private final TableNames names;

    public OutboxErasure(DataSource dataSource, TableNames names) {
        this.dataSource = dataSource;
        this.names = names;
    }

    /**
     * Deletes rows and returns their number; 0 if there are no tables.
     *
     * @param erased returns whether to delete a row; its argument is the id of the task, or the id prefix of the group
     * @throws DelayQueueException if the database fails, or if another transaction locks a row for too long
     */
    public long erase(String queue, Predicate<String> erased) {
        try {
            Database database = new SchemaCheck(dataSource, names).require("outbox", 1);
            TransactionTemplate transactions = OutboxTransactions.of(dataSource, database);
            transactions.setTimeout(LONGEST_SECONDS);
            return eraseWaiting(new OutboxTable(dataSource, database, names), transactions, queue, erased)
                    + eraseRejected(new RejectedTable(dataSource, names), transactions, queue, erased);
        } catch (InvalidDelayQueueSetupException ex) {
            return 0; // No process can have an outbox in this database.
        } catch (DataAccessException | TransactionException ex) {
            throw new DelayQueueException(
                    "Queue '" + queue + "': could not delete rows of the outbox, because the database failed or a "
                            + "transaction has locked a row. Resume the operation",
                    ex);
        }
    }

    private static long eraseWaiting(
            OutboxTable table, TransactionTemplate transactions, String queue, Predicate<String> erased) {
        long deleted = 0;
        byte[] after = {};
        List<OutboxTable.Named> page;
        do {
            byte[] from = after;
            page = Objects.requireNonNull(transactions.execute(status -> table.ofQueue(queue, from, PAGE)));
            List<RowKey> keys = page.stream()
                    .filter(row -> erased.test(row.id()))
                    .map(OutboxTable.Named::key)
                    .toList();
            if (!keys.isEmpty()) {
                transactions.executeWithoutResult(status -> table.delete(keys));
                deleted += keys.size();
            }
            after = page.isEmpty() ? after : page.get(page.size() - 1).key().bytes();
        } while (page.size() == PAGE);
        return deleted;
    }

    private static long eraseRejected(
            RejectedTable table, TransactionTemplate transactions, String queue, Predicate<String> erased) {
        long deleted = 0;
        String after = "";
        List<RejectedTable.Named> page;
        do {
            String from = after;
            page = table.ofQueue(queue, from, PAGE);
            List<String> ids = page.stream()
                    .filter(row -> erased.test(row.id()))
                    .map(RejectedTable.Named::rejectedId)
                    .toList();
            transactions.executeWithoutResult(status -> ids.forEach(table::delete));
            deleted += ids.size();
            after = page.isEmpty() ? after : page.get(page.size() - 1).rejectedId();
        } while (page.size() == PAGE);
        return deleted;
    }
}
