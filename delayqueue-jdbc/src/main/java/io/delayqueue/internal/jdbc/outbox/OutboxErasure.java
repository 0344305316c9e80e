// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.jdbc.schema.Database;
import io.delayqueue.internal.jdbc.schema.MissingTablesException;
import io.delayqueue.internal.jdbc.schema.SchemaCheck;
import io.delayqueue.internal.jdbc.schema.TableNames;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
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

    /** A row without its operations. */
    record Named<K>(K key, String id) {}

    /**
     * Deletes rows and returns their number; 0 if there are no tables. Waits up to ten seconds for rows that other
     * transactions have locked, without holding locks.
     *
     * @param erased returns whether to delete a row; its argument is the id of the task, or the id prefix of the group
     * @throws DelayQueueException if the database fails or is not set up, or if a row stays locked
     */
    public long erase(String queue, Predicate<String> erased) {
        try {
            Database database = new SchemaCheck(dataSource, names).require("outbox", 1);
            TransactionTemplate transactions = OutboxTransactions.of(dataSource, database);
            transactions.setTimeout(LONGEST_SECONDS);
            OutboxTable table = new OutboxTable(dataSource, database, names);
            RejectedTable rejected = new RejectedTable(dataSource, names);
            long end = System.nanoTime() + Duration.ofSeconds(LONGEST_SECONDS).toNanos();
            long rows = OutboxErasure.<RowKey>erase(
                    after -> inTransaction(transactions, () -> table.ofQueue(queue, after, PAGE)),
                    erased,
                    keys -> deleteWaiting(table, transactions, keys, end));
            return rows
                    + OutboxErasure.<String>erase(
                            after -> rejected.ofQueue(queue, after, PAGE),
                            erased,
                            ids -> ids.stream().filter(rejected::delete).count());
        } catch (MissingTablesException ex) {
            return 0; // No process can have an outbox in this database.
        } catch (DataAccessException | TransactionException ex) {
            throw new DelayQueueException(
                    "Queue '" + queue + "': could not delete rows of the outbox. Check the database and resume the "
                            + "operation",
                    ex);
        }
    }

    /** @param pages returns the page after a key, or the first page for null */
    private static <K> long erase(
            Function<@Nullable K, List<Named<K>>> pages, Predicate<String> erased, ToLongFunction<List<K>> delete) {
        long deleted = 0;
        @Nullable K after = null;
        List<Named<K>> page;
        do {
            page = pages.apply(after);
            List<K> keys = page.stream()
                    .filter(row -> erased.test(row.id()))
                    .map(Named::key)
                    .toList();
            deleted += keys.isEmpty() ? 0 : delete.applyAsLong(keys);
            after = page.isEmpty() ? null : page.get(page.size() - 1).key();
        } while (page.size() == PAGE);
        return deleted;
    }

    /**
     * Deletes the rows that no transaction has locked, and repeats this for the others. Waiting for a locked row while
     * holding others could cause a deadlock with a transaction of the application.
     */
    private static long deleteWaiting(
            OutboxTable table, TransactionTemplate transactions, Collection<RowKey> keys, long end) {
        long deleted = 0;
        Collection<RowKey> left = keys;
        while (true) {
            Collection<RowKey> some = left;
            deleted += inTransaction(transactions, () -> table.deleteUnlocked(some));
            left = inTransaction(transactions, () -> table.present(some)).keySet();
            if (left.isEmpty()) {
                return deleted;
            }
            if (System.nanoTime() > end || !sleep()) {
                throw new DelayQueueException("Open transactions have locked " + left.size()
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
