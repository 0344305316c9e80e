// SPDX-License-Identifier: Apache-2.0
package com.example.transactions;

import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

@Component
class Fenced {

    final List<Boolean> answers = new CopyOnWriteArrayList<>();
    private final JdbcTemplate jdbcTemplate;

    Fenced(JdbcTemplate jdbcTemplate) {
        this.jdbcTemplate = jdbcTemplate;
    }

    @DelayQueueListener(queue = "fenced")
    void timeIsUp(DelayedTask<OrderTimeout> task) {
        Order order = new Order(task.payload().orderId());
        long token = task.lease().fencingToken();
        boolean closed = jdbcTemplate.update(
                        "UPDATE orders SET status = 'CLOSED', fence = ? WHERE id = ? AND (fence IS NULL OR fence < ?)",
                        token,
                        order.id(),
                        token)
                == 1;
        answers.add(closed);
    }
}
