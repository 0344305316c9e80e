// SPDX-License-Identifier: Apache-2.0
package com.example.transactions;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.jdbc.ExpectedTasks;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.stereotype.Component;

@Component
class OpenOrders implements ExpectedTasks {

    private final JdbcTemplate jdbc;
    private final NamedParameterJdbcTemplate namedJdbc;

    OpenOrders(JdbcTemplate jdbc, NamedParameterJdbcTemplate namedJdbc) {
        this.jdbc = jdbc;
        this.namedJdbc = namedJdbc;
    }

    @Override
    public List<ScheduleRequest<?>> page(@Nullable String after, int limit) {
        return jdbc.query(
                "SELECT id, pay_before FROM orders WHERE status = 'OPEN' AND id > ? ORDER BY id FETCH FIRST ? ROWS ONLY",
                this::timeout,
                (after != null) ? after : "",
                limit);
    }

    @Override
    public List<ScheduleRequest<?>> find(Collection<String> ids) {
        return namedJdbc.query(
                "SELECT id, pay_before FROM orders WHERE status = 'OPEN' AND id IN (:ids)",
                Map.of("ids", ids),
                this::timeout);
    }

    private ScheduleRequest<?> timeout(ResultSet row, int number) throws SQLException {
        return ScheduleRequest.to("orders")
                .id(row.getString("id"))
                .payload(new OrderTimeout(row.getLong("id")))
                .dueAt(row.getObject("pay_before", OffsetDateTime.class).toInstant())
                .build();
    }
}
