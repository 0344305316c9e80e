// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.jdbc.schema.Database;
import io.delayqueue.internal.jdbc.schema.MissingTablesException;
import io.delayqueue.internal.jdbc.schema.SchemaCheck;
import io.delayqueue.internal.jdbc.schema.TableNames;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/** Deletes rows of the outbox and of its rejected operations, also in a process that does not use the outbox. */
public final class OutboxErasure {

    private static final int PAGE = 500;
    private static final int LONGEST_SECONDS = 10;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final DataSource dataSource;
    private final TableNames names;

    public OutboxErasure(DataSource dataSource, TableNames names) {
        this.dataSource = dataSource;
        this.names = names;
    }

    /**
     * Deletes rows; none if there are no tables. Waits up to ten seconds for rows that other transactions have locked,
     * without holding locks.
     *
     * @param deleted receives numbers of deleted rows, also before a failure
     * @throws DelayQueueException if the database fails or is not set up, or if a row stays locked
     */
    public void erase(String queue, String idPrefix, LongConsumer deleted) {
        try {
            Database database = new SchemaCheck(dataSource, names).require("outbox", 1);
            TransactionTemplate transactions = OutboxTransactions.of(dataSource, database);
            transactions.setTimeout(LONGEST_SECONDS);
            eraseRows(new OutboxTable(dataSource, database, names), transactions, queue, idPrefix, deleted);
            RejectedTable rejected = new RejectedTable(dataSource, names);
            List<String> ids;
            while (!(ids = rejected.ids(queue, idPrefix, PAGE)).isEmpty()) {
                for (String id : ids) {
                    deleted.accept(inTransaction(transactions, () -> rejected.delete(id)) ? 1 : 0);
                }
            }
        } catch (MissingTablesException ex) {
            // No process can have an outbox in this database.
        } catch (DataAccessException | TransactionException ex) {
            throw new DelayQueueException(
                    "Queue '" + queue + "': could not delete rows of the outbox. Check the database and resume the "
                            + "operation",
                    ex);
        }
    }

    /**
     * Deletes the rows that no transaction has locked, and repeats this for the others. Waiting for a locked row while
     * holding others could cause a deadlock with a transaction of the application.
     */
    private static void eraseRows(
            OutboxTable table, TransactionTemplate transactions, String queue, String idPrefix, LongConsumer deleted) {
        long progressAt = System.nanoTime();
        List<RowKey> keys;
        while (!(keys = inTransaction(transactions, () -> table.keys(queue, idPrefix, PAGE))).isEmpty()) {
            List<RowKey> some = keys;
            int gone = inTransaction(transactions, () -> table.deleteUnlocked(some));
            deleted.accept(gone);
            if (gone > 0) {
                progressAt = System.nanoTime();
            } else if (System.nanoTime() - progressAt
                            > Duration.ofSeconds(LONGEST_SECONDS).toNanos()
                    || !sleep()) {
                throw new DelayQueueException("Open transactions have locked " + keys.size()
                        + " rows of the outbox. Resume the operation when these transactions have ended");
            }
        }
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
