// SPDX-License-Identifier: Apache-2.0
package com.example.programs;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TransactionMode;
import java.time.Duration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

@Component
class Checkout {

    private final JdbcTemplate jdbc;
    private final DelayQueueOperations delayQueue;

    Checkout(JdbcTemplate jdbc, DelayQueueOperations delayQueue) {
        this.jdbc = jdbc;
        this.delayQueue = delayQueue.inTransaction(TransactionMode.OUTBOX);
    }

    @Transactional
    public void placed(String order) {
        jdbc.update("INSERT INTO shop_order (id) VALUES (?)", order);
        delayQueue.schedule(ScheduleRequest.to("orders", order)
                .id(order)
                .dueIn(Duration.ofMinutes(30))
                .build());
    }
}
