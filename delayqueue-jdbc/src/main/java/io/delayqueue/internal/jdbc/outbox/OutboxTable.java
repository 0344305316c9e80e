// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.internal.jdbc.Unobserved;
import io.delayqueue.internal.jdbc.schema.Database;
import io.delayqueue.internal.jdbc.schema.TableNames;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * SQL statements for the outbox table, which contains operations that have not reached Redis. A statement joins the
 * current transaction, if there is one. Only {@link #add} waits for rows that other transactions have locked.
 *
 * <p>The version of each row starts at a unique number, so that a row that was deleted and inserted again is not
 * mistaken for the earlier one.
 */
public final class OutboxTable {

    private static final int MOST_TURNS = 20;

    private final JdbcTemplate jdbc;
    private final TransactionTemplate reading;
    private final Database database;
    private final String table;
    private final String tableByKey;
    private final String tableByTime;
    private final String insert;

    public OutboxTable(DataSource dataSource, Database database, TableNames names) {
        this.jdbc = new JdbcTemplate(dataSource);
        this.reading = OutboxTransactions.of(dataSource, database);
        this.database = database;
        this.table = names.outbox();
        this.tableByKey = byIndex("PRIMARY");
        this.tableByTime = byIndex(table + "_available");
        this.insert = "INSERT INTO " + table + (database == Database.POSTGRESQL ? " AS before" : "")
                + " (row_key, queue_name, task_id, version, operations, available_at, created_at, attempts)"
                + " VALUES (?, ?, ?, ?, ?, " + database.moment() + ", " + database.moment() + ", 0)";
    }

    /**
     * Returns SQL that forces the use of an index, even for few rows. Otherwise, MySQL and MariaDB would scan the
     * table, and a statement that changes rows would wait for every locked row.
     */
    private String byIndex(String index) {
        return (database == Database.MYSQL) ? table + " FORCE INDEX (" + index + ")" : table;
    }

    /**
     * Adds operations to their existing row, or to a new one. Waits for other transactions that have written to the
     * row.
     *
     * @param operations operations of one task or one group
     * @param nowMillis the start of relative delays
     * @param untaken how long a new row is reserved for this process
     * @return the new row; null if the operations were added to an existing row
     */
    public @Nullable FreshRow add(List<Operation> operations, long nowMillis, Duration untaken) {
        long beforeNanos = System.nanoTime();
        Operation first = operations.get(0);
        String queue = first.change().queue();
        RowKey key = RowKey.of(queue, first.change().id());
        byte[] encoded = OperationFormat.encode(operations, nowMillis);
        return insertOrAppend(key, queue, RowKey.rowId(first.change().id()), firstVersion(first), encoded, untaken)
                ? new FreshRow(key, firstVersion(first), encoded.length, beforeNanos + untaken.toNanos())
                : null;
    }

    private boolean insertOrAppend(
            RowKey key, String queue, String id, long version, byte[] encoded, Duration untaken) {
        long available = database.fromNow(untaken.toMillis());
        Object[] values = {key.bytes(), queue, id, version, encoded, available, database.fromNow(0)};
        return switch (database) {
            case POSTGRESQL -> {
                Long now = jdbc.queryForObject(
                        insert
                                + " ON CONFLICT (row_key) DO UPDATE SET operations = before.operations || EXCLUDED.operations,"
                                + " version = before.version + 1 RETURNING version",
                        Long.class,
                        values);
                yield now != null && now == version;
            }
            case MYSQL -> {
                // The statement returns 1 for a new row and 2 for an existing row.
                int rows = jdbc.update(
                        insert + " ON DUPLICATE KEY UPDATE operations = CONCAT(operations, VALUES(operations)),"
                                + " version = version + 1",
                        values);
                yield rows == 1;
            }
            case H2 -> addByTurns(key, encoded, values);
        };
    }

    /**
     * Adds operations by alternating updates and inserts, because between two statements another transaction may insert
     * the row, or the relay may delete it.
     */
    private boolean addByTurns(RowKey key, byte[] encoded, Object[] values) {
        for (int turn = 1; ; turn++) {
            if (append(key, encoded)) {
                return false;
            }
            try {
                return jdbc.update(insert, values) == 1;
            } catch (DuplicateKeyException ex) {
                if (turn == MOST_TURNS) {
                    throw ex;
                }
            }
        }
    }

    private boolean append(RowKey key, byte[] encoded) {
        return jdbc.update(
                        "UPDATE " + table + " SET operations = operations || CAST(? AS VARBINARY(1048576)),"
                                + " version = version + 1 WHERE row_key = ?",
                        encoded,
                        key.bytes())
                > 0;
    }

    /** Returns the initial version of a row that is inserted for this operation. */
    static long firstVersion(Operation operation) {
        return operation.number() >>> 2;
    }

    /** Reads any number of rows by key, without locking them. */
    public List<OutboxRow> read(Collection<RowKey> keys) {
        if (database != Database.POSTGRESQL) {
            return Unobserved.call(() -> find(keys));
        }
        return Objects.requireNonNull(reading.execute(status -> find(keys)));
    }

    /** Reads a few rows by key, without a transaction. */
    List<OutboxRow> find(Collection<RowKey> keys) {
        return jdbc.query(
                "SELECT " + Rows.COLUMNS + " FROM " + table + " WHERE " + Rows.haveKeys(database, keys.size()),
                Rows::read,
                Rows.values(database, keys));
    }

    /**
     * Returns keys of rows whose ids have a prefix, locked or not, in order.
     *
     * @param after last key of the previous call; null to start
     */
    List<RowKey> keys(String queue, String idPrefix, @Nullable RowKey after, int limit) {
        return jdbc.query(
                "SELECT row_key FROM " + tableByKey + " WHERE " + Rows.HAVE_ID_PREFIX
                        + " AND row_key > ? ORDER BY row_key LIMIT " + limit,
                (result, number) -> RowKey.read(result.getBytes(1)),
                queue,
                Rows.startingWith(idPrefix),
                after == null ? new byte[0] : after.bytes());
    }

    /**
     * Checks whether there is a row that any process may take, even if another transaction has locked it. Uses a single
     * statement without a transaction, because an idle relay runs it continuously. The statement has no parameters.
     * Otherwise, PostgreSQL's driver would prepare it and keep a plan for few rows.
     *
     * @param from lower bound of the times of the rows, in ms since 1970. Without this bound, PostgreSQL scans all
     *     deleted rows while an old snapshot is open.
     * @return the result, with the lower bound for the next search
     */
    public Look look(long from) {
        String now = database.now();
        String query = "SELECT " + now + ", (SELECT available_at FROM " + tableByTime + " WHERE available_at >= " + from
                + " AND available_at <= " + now + " ORDER BY available_at LIMIT 1)";
        return Objects.requireNonNull(Unobserved.call(() -> jdbc.queryForObject(query, (result, number) -> {
            long first = result.getLong(2);
            return result.wasNull() ? new Look(false, result.getLong(1)) : new Look(true, first);
        })));
    }

    /**
     * The result of a search.
     *
     * @param any whether there is a row
     * @param from lower bound of the times of all rows, in ms since 1970
     */
    public record Look(boolean any, long from) {}

    /**
     * Reads rows that any process may take, longest available first, and locks them until the transaction ends. Skips
     * rows that other transactions have locked.
     *
     * @param from lower bound of the times of the rows, in ms since 1970
     */
    public List<OutboxRow> available(long from, int limit) {
        return jdbc.query(
                "SELECT " + Rows.COLUMNS + " FROM " + tableByTime + " WHERE available_at >= ? AND available_at <= "
                        + database.moment() + " ORDER BY available_at LIMIT " + limit + " FOR UPDATE SKIP LOCKED",
                Rows::read,
                from,
                database.fromNow(0));
    }

    /** Reserves these rows for this process for a time, and counts the attempt. */
    public void take(Collection<RowKey> keys, Duration time) {
        update("available_at = " + database.moment() + ", attempts = attempts + 1", keys, time);
    }

    /** Makes these rows available to any process after a time. */
    public void leave(Collection<RowKey> keys, Duration time) {
        update("available_at = " + database.moment(), keys, time);
    }

    private void update(String what, Collection<RowKey> keys, Duration time) {
        jdbc.update(
                "UPDATE " + tableByKey + " SET " + what + " WHERE " + Rows.haveKeys(database, keys.size()),
                Stream.concat(Stream.of(database.fromNow(time.toMillis())), Stream.of(Rows.values(database, keys)))
                        .toArray());
    }

    /**
     * Locks these rows until the transaction ends, except rows that other transactions have locked, and returns their
     * states.
     */
    public Map<RowKey, RowState> hold(Collection<RowKey> keys) {
        return states(keys, " FOR UPDATE SKIP LOCKED");
    }

    /** Lets this transaction commit without waiting for the disk, so that a crash of the server may undo it. */
    public void commitWithoutFlush() {
        if (database == Database.POSTGRESQL) {
            jdbc.execute("SET LOCAL synchronous_commit TO OFF");
        }
    }

    /**
     * Returns the existing rows among these, locked or not. Call this in a separate transaction of the outbox, like all
     * queries by many keys.
     */
    public Map<RowKey, RowState> present(Collection<RowKey> keys) {
        return states(keys, "");
    }

    private Map<RowKey, RowState> states(Collection<RowKey> keys, String lock) {
        return jdbc
                .query(
                        "SELECT row_key, version, attempts FROM " + tableByKey + " WHERE "
                                + Rows.haveKeys(database, keys.size()) + lock,
                        (result, number) -> Map.entry(
                                RowKey.read(result.getBytes(1)), new RowState(result.getLong(2), result.getInt(3))),
                        Rows.values(database, keys))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Deletes these rows, except rows that other transactions have locked. Returns the deleted rows. */
    Set<RowKey> deleteUnlocked(Collection<RowKey> keys) {
        Set<RowKey> unlocked = hold(keys).keySet();
        if (!unlocked.isEmpty()) {
            delete(unlocked);
        }
        return unlocked;
    }

    public void delete(Collection<RowKey> keys) {
        if (database == Database.MYSQL) {
            // With a list of keys, the database might wait for other locked rows, despite the index hint.
            jdbc.batchUpdate(
                    "DELETE FROM " + table + " WHERE row_key = ?",
                    keys.stream()
                            .sorted()
                            .map(key -> new Object[] {key.bytes()})
                            .toList());
        } else {
            jdbc.update(
                    "DELETE FROM " + table + " WHERE " + Rows.haveKeys(database, keys.size()),
                    Rows.values(database, keys));
        }
    }

    /**
     * Replaces the operations of rows that this transaction has locked by those that are left, and reserves the rows
     * for this process.
     *
     * @param resetAge whether the remaining operations were added after the row was read
     */
    public void cut(Map<RowKey, byte[]> left, Duration time, boolean resetAge) {
        if (left.isEmpty()) {
            return;
        }
        long available = database.fromNow(time.toMillis());
        jdbc.batchUpdate(
                "UPDATE " + tableByKey + " SET operations = ?, available_at = "
                        + database.moment() + (resetAge ? ", created_at = " + database.moment() : "")
                        + " WHERE row_key = ?",
                left.keySet().stream()
                        .sorted()
                        .map(key -> resetAge
                                ? new Object[] {left.get(key), available, database.fromNow(0), key.bytes()}
                                : new Object[] {left.get(key), available, key.bytes()})
                        .toList());
    }

    public long count(int most) {
        String query = "SELECT COUNT(*) FROM (SELECT 1 FROM " + table + " LIMIT " + most + ") counted";
        Long number = Unobserved.call(() -> jdbc.queryForObject(query, Long.class));
        return (number == null) ? 0 : number;
    }
}
