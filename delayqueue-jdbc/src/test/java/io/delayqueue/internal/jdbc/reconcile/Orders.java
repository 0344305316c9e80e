// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.reconcile;

import static io.delayqueue.TestRequests.requestTo;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.jdbc.ExpectedTasks;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/** An application's table of open orders; each should have a task. */
final class Orders implements ExpectedTasks {

    static final String QUEUE = "orders";

    private static final RowMapper<ScheduleRequest<?>> TASK = (row, number) -> task(row.getString(1), row.getLong(2));

    private final JdbcTemplate jdbc;
    private final NamedParameterJdbcTemplate named;

    Orders(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
        this.named = new NamedParameterJdbcTemplate(jdbc);
        jdbc.execute("DROP TABLE IF EXISTS orders");
        jdbc.execute("CREATE TABLE orders (id VARCHAR(20) PRIMARY KEY, due BIGINT)");
    }

    void place(String id, Instant due) {
        jdbc.update("INSERT INTO orders (id, due) VALUES (?, ?)", id, due.toEpochMilli());
    }

    void close(String id) {
        jdbc.update("DELETE FROM orders WHERE id = ?", id);
    }

    @Override
    public List<ScheduleRequest<?>> page(@Nullable String after, int limit) {
        return jdbc.query(
                "SELECT id, due FROM orders WHERE id > ? ORDER BY id LIMIT ?",
                TASK,
                Optional.ofNullable(after).orElse(""),
                limit);
    }

    @Override
    public List<ScheduleRequest<?>> find(Collection<String> ids) {
        return named.query("SELECT id, due FROM orders WHERE id IN (:ids)", Map.of("ids", ids), TASK);
    }

    static ScheduleRequest<?> task(String id, long due) {
        return requestTo(QUEUE, id, "time is up", Instant.ofEpochMilli(due));
    }
}
