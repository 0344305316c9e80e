// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.migration.polling;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TransactionMode;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.handler.DelayedTask;
import java.sql.Timestamp;
import java.time.Instant;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Subscriptions {

    private final JdbcTemplate jdbc;
    private final DelayQueueOperations delayQueue;

    Subscriptions(JdbcTemplate jdbc, DelayQueueOperations delayQueue) {
        this.jdbc = jdbc;
        this.delayQueue = delayQueue.inTransaction(TransactionMode.OUTBOX);
    }

    @Transactional
    public void begin(String id, Instant endsAt) {
        jdbc.update(
                "INSERT INTO subscriptions (id, status, ends_at) VALUES (?, 'ACTIVE', ?)", id, Timestamp.from(endsAt));
        schedule(id, endsAt);
    }

    @Transactional
    public void putOff(String id, Instant endsAt) {
        jdbc.update("UPDATE subscriptions SET ends_at = ? WHERE id = ?", Timestamp.from(endsAt), id);
        schedule(id, endsAt);
    }

    @Transactional
    @DelayQueueListener(queue = "subscriptions")
    public void end(DelayedTask<SubscriptionEnds> task) {
        jdbc.update(
                "UPDATE subscriptions SET status = 'ENDED' WHERE id = ? AND status = 'ACTIVE' AND ends_at <= ?",
                task.payload().id(),
                Timestamp.from(task.dueAt()));
    }

    private void schedule(String id, Instant endsAt) {
        delayQueue.schedule(ScheduleRequest.to("subscriptions")
                .id(id)
                .payload(new SubscriptionEnds(id))
                .dueAt(endsAt)
                .build());
    }
}
