// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.internal.jdbc.schema.TableNames;
import io.delayqueue.jdbc.RejectedOperation;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** The statements on the table of operations that were put aside. Each takes part in the transaction of the thread. */
public final class RejectedTable {

    private static final int LONGEST_REASON = 1000;

    private final JdbcTemplate jdbc;
    private final String table;

    public RejectedTable(DataSource dataSource, TableNames names) {
        this.jdbc = new JdbcTemplate(dataSource);
        this.table = names.rejected();
    }

    /** Puts operations aside. */
    public RejectedOperation add(String queue, String id, byte[] operations, String reason) {
        String cut = reason.substring(0, Math.min(LONGEST_REASON, reason.length()));
        RejectedOperation rejected = new RejectedOperation(
                UUID.randomUUID().toString(), queue, id, cut, Instant.ofEpochMilli(System.currentTimeMillis()));
        jdbc.update(
                "INSERT INTO " + table
                        + " (rejected_id, queue_name, task_id, operations, reason, rejected_at) VALUES (?, ?, ?, ?, ?, ?)",
                rejected.rejectedId(),
                queue,
                id,
                operations,
                cut,
                rejected.rejectedAt().toEpochMilli());
        return rejected;
    }

    /** The longest rejected first. */
    public List<RejectedOperation> list(int limit) {
        return jdbc.query(
                "SELECT rejected_id, queue_name, task_id, reason, rejected_at FROM " + table
                        + " ORDER BY rejected_at LIMIT " + limit,
                (result, number) -> new RejectedOperation(
                        result.getString(1),
                        result.getString(2),
                        result.getString(3),
                        result.getString(4),
                        Instant.ofEpochMilli(result.getLong(5))));
    }

    /** The operations that were put aside, held until the transaction's end; none if there is nothing of this id. */
    List<Kept> hold(String rejectedId) {
        return jdbc.query(
                "SELECT queue_name, task_id, operations FROM " + table + " WHERE rejected_id = ? FOR UPDATE",
                (result, number) -> new Kept(result.getString(1), result.getString(2), result.getBytes(3)),
                rejectedId);
    }

    /** Answers whether there was one. */
    public boolean delete(String rejectedId) {
        return jdbc.update("DELETE FROM " + table + " WHERE rejected_id = ?", rejectedId) > 0;
    }

    /** How many there are, of which no more than a number are counted. */
    public long count(int most) {
        Long number = jdbc.queryForObject(
                "SELECT COUNT(*) FROM (SELECT 1 FROM " + table + " LIMIT " + most + ") counted", Long.class);
        return (number == null) ? 0 : number;
    }

    /** What was put aside. */
    record Kept(String queue, String id, byte[] operations) {}
}
