// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.sample;

import io.delayqueue.sample.Order.Status;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/** The orders in a database. Each method joins its caller's transaction. */
@Component
class OrderBook {

    private static final String SELECT = "SELECT id, item, status, pay_before FROM orders ";

    private final JdbcTemplate jdbc;

    OrderBook(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    void add(Order order) {
        jdbc.update(
                "INSERT INTO orders (id, item, status, pay_before, fence) VALUES (?, ?, ?, ?, 0)",
                order.id(),
                order.item(),
                order.status().name(),
                column(order.payBefore()));
    }

    Optional<Order> find(String id) {
        return jdbc.query(SELECT + "WHERE id = ?", OrderBook::order, id).stream()
                .findFirst();
    }

    /** Returns whether the order was open. */
    boolean pay(String id) {
        return jdbc.update("UPDATE orders SET status = 'PAID' WHERE id = ? AND status = 'OPEN'", id) > 0;
    }

    /** Returns whether the order was open. */
    boolean extend(String id, Instant payBefore) {
        return jdbc.update("UPDATE orders SET pay_before = ? WHERE id = ? AND status = 'OPEN'", column(payBefore), id)
                > 0;
    }

    /**
     * Closes an open order that is payable until exactly this time.
     *
     * @param token fencing token of the delivery
     * @return whether the order was closed
     */
    boolean close(String id, Instant payBefore, long token) {
        return jdbc.update(
                        "UPDATE orders SET status = 'CLOSED', fence = ?"
                                + " WHERE id = ? AND status = 'OPEN' AND pay_before = ? AND (fence IS NULL OR fence < ?)",
                        token,
                        id,
                        column(payBefore),
                        token)
                > 0;
    }

    /** Returns the thousand orders with the latest payment deadlines, earliest first. */
    List<Order> last() {
        return jdbc.query(
                "SELECT * FROM (" + SELECT + "ORDER BY pay_before DESC FETCH FIRST 1000 ROWS ONLY) latest"
                        + " ORDER BY pay_before",
                OrderBook::order);
    }

    /** Returns some open orders, earliest deadline first. */
    List<Order> open(int most) {
        return jdbc.query(
                SELECT + "WHERE status = 'OPEN' ORDER BY pay_before FETCH FIRST ? ROWS ONLY", OrderBook::order, most);
    }

    long countOpen() {
        Long open = jdbc.queryForObject("SELECT COUNT(*) FROM orders WHERE status = 'OPEN'", Long.class);
        return (open != null) ? open : 0;
    }

    void forgetEnded(Instant payableUntil) {
        jdbc.update("DELETE FROM orders WHERE status <> 'OPEN' AND pay_before < ?", column(payableUntil));
    }

    private static Order order(ResultSet row, int number) throws SQLException {
        return new Order(
                row.getString("id"),
                row.getString("item"),
                Status.valueOf(row.getString("status")),
                row.getObject("pay_before", OffsetDateTime.class).toInstant());
    }

    private static OffsetDateTime column(Instant moment) {
        return moment.atOffset(ZoneOffset.UTC);
    }
}
