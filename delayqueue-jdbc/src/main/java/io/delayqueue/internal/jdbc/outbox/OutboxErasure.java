// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.jdbc.schema.Database;
import io.delayqueue.internal.jdbc.schema.MissingTablesException;
import io.delayqueue.internal.jdbc.schema.SchemaCheck;
import io.delayqueue.internal.jdbc.schema.TableNames;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/** Deletes rows of the outbox and of its rejected operations, also in a process that does not use the outbox. */
public record OutboxErasure(DataSource dataSource, TableNames names) {

    private static final int PAGE = 500;
    private static final int LONGEST_SECONDS = 10;
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int MOST_PAUSES = 100; // ten seconds

    /**
     * Deletes rows; none if there are no tables. For each page, waits up to ten seconds for rows that other transactions have
     * locked, without holding locks.
     *
     * @param goesOn receives numbers of deleted rows, also before a failure, and returns whether to continue
     * @return whether all rows are deleted
     * @throws DelayQueueException if the database fails or is not set up, or if a row stays locked
     */
    public boolean erase(String queue, String idPrefix, LongPredicate goesOn) {
        try {
            Database database = new SchemaCheck(dataSource, names).require("outbox", 1);
            TransactionTemplate transactions = OutboxTransactions.of(dataSource, database);
            transactions.setTimeout(LONGEST_SECONDS);
            OutboxTable table = new OutboxTable(dataSource, database, names);
            RejectedTable rejected = new RejectedTable(dataSource, names);
            return eraseRows(table, transactions, queue, idPrefix, goesOn)
                    && eraseRejected(rejected, transactions, queue, idPrefix, goesOn);
        } catch (MissingTablesException ex) {
            return true; // No process can have an outbox in this database.
        } catch (DataAccessException | TransactionException ex) {
            throw new DelayQueueException(
                    "Queue '" + queue + "': could not delete rows of the outbox. Check the database and resume the "
                            + "operation",
                    ex);
        }
    }

    /**
     * Deletes the rows of a page that no transaction has locked, and repeats this for the others before the next page.
     * Waiting for a locked row while holding others could cause a deadlock with a transaction of the application.
     */
    private static boolean eraseRows(
            OutboxTable table, TransactionTemplate transactions, String queue, String idPrefix, LongPredicate goesOn) {
        @Nullable RowKey last = null;
        List<RowKey> page;
        do {
            RowKey after = last;
            int pauses = 0;
            page = inTransaction(transactions, () -> table.keys(queue, idPrefix, after, PAGE));
            Set<RowKey> left = new HashSet<>(page);
            while (!left.isEmpty()) {
                Set<RowKey> deleted = inTransaction(transactions, () -> table.deleteUnlocked(left));
                if (!goesOn.test(deleted.size())) {
                    return false;
                }
                left.removeAll(deleted);
                if (left.isEmpty()) {
                    break;
                }
                left.retainAll(
                        inTransaction(transactions, () -> table.present(left)).keySet());
                if (!left.isEmpty() && (pauses++ == MOST_PAUSES || !sleep())) {
                    throw new DelayQueueException("Open transactions have locked " + left.size()
                            + " rows of the outbox. Resume the operation when these transactions have ended");
                }
            }
            last = page.isEmpty() ? null : page.get(page.size() - 1);
        } while (page.size() == PAGE);
        return true;
    }

    private static boolean eraseRejected(
            RejectedTable table,
            TransactionTemplate transactions,
            String queue,
            String idPrefix,
            LongPredicate goesOn) {
        String last = "";
        List<String> page;
        do {
            String after = last;
            page = inTransaction(transactions, () -> table.ids(queue, idPrefix, after, PAGE));
            for (String id : page) {
                if (!goesOn.test(inTransaction(transactions, () -> table.delete(id)) ? 1 : 0)) {
                    return false;
                }
                last = id;
            }
        } while (page.size() == PAGE);
        return true;
    }

    private static <T> T inTransaction(TransactionTemplate transactions, Supplier<T> action) {
        return Objects.requireNonNull(transactions.execute(status -> action.get()));
    }

    /** Returns false if the thread was interrupted. */
    private static boolean sleep() {
        LockSupport.parkNanos(PAUSE.toNanos());
        return !Thread.currentThread().isInterrupted();
    }
}
