// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.internal.jdbc.schema.TableNames;
import io.delayqueue.jdbc.RejectedOperation;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;

/** SQL statements for the table of rejected operations. A statement joins the current transaction. */
public record RejectedTable(JdbcTemplate jdbc, String table) {

    private static final int LONGEST_REASON = 1000;

    public RejectedTable(DataSource dataSource, TableNames names) {
        this(new JdbcTemplate(dataSource), names.rejected());
    }

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

    /**
     * Returns the ids of rejected entries for tasks whose ids have a prefix, in order.
     *
     * @param after last id of the previous call; empty to start
     */
    List<String> ids(String queue, String idPrefix, String after, int limit) {
        return jdbc.queryForList(
                "SELECT rejected_id FROM " + table + " WHERE " + Rows.HAVE_ID_PREFIX
                        + " AND rejected_id > ? ORDER BY rejected_id LIMIT " + limit,
                String.class,
                queue,
                Rows.startingWith(idPrefix),
                after);
    }

    /** Returns and locks the operations of a rejected entry until the transaction ends. Empty if the id is unknown. */
    List<Kept> hold(String rejectedId) {
        return jdbc.query(
                "SELECT queue_name, task_id, operations FROM " + table + " WHERE rejected_id = ? FOR UPDATE",
                (result, number) -> new Kept(result.getString(1), result.getString(2), result.getBytes(3)),
                rejectedId);
    }

    public boolean delete(String rejectedId) {
        return jdbc.update("DELETE FROM " + table + " WHERE rejected_id = ?", rejectedId) > 0;
    }

    /** A rejected entry. */
    record Kept(String queue, String id, byte[] operations) {}
}
