// SPDX-License-Identifier: Apache-2.0
package com.example.transactions;

import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

@Repository
class OrderRepository {

    private final JdbcTemplate jdbc;

    OrderRepository(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
        jdbc.execute(
                "CREATE TABLE orders (id VARCHAR(40) PRIMARY KEY, status VARCHAR(10) NOT NULL," + " fence BIGINT)");
    }

    void save(Order order) {
        jdbc.update("INSERT INTO orders (id, status) VALUES (?, 'OPEN')", String.valueOf(order.id()));
    }

    void markPaid(long id) {
        move(id, "PAID");
    }

    void close(long id) {
        move(id, "CLOSED");
    }

    List<String> status(long id) {
        return jdbc.queryForList("SELECT status FROM orders WHERE id = ?", String.class, String.valueOf(id));
    }

    private void move(long id, String status) {
        jdbc.update("UPDATE orders SET status = ? WHERE id = ? AND status = 'OPEN'", status, String.valueOf(id));
    }
}
