// SPDX-License-Identifier: Apache-2.0
package com.example.transactions;

import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import io.delayqueue.jdbc.FencedUpdate;
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
        boolean closed = FencedUpdate.of("orders")
                .set("status", "CLOSED")
                .where("id", order.id())
                .fence("fence", task.lease().token())
                .run(jdbcTemplate);
        answers.add(closed);
    }
}
