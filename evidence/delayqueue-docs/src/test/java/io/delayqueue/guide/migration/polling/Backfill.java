// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.migration.polling;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

@Component
class Backfill {

    private final JdbcTemplate jdbc;
    private final DelayQueueOperations delayQueue;

    Backfill(JdbcTemplate jdbc, DelayQueueOperations delayQueue) {
        this.jdbc = jdbc;
        this.delayQueue = delayQueue;
    }

    long run() {
        long scheduled = 0;
        String after = "";
        List<? extends ScheduleRequest<?>> page;
        do {
            page = jdbc.query(
                    "SELECT id, ends_at FROM subscriptions WHERE status = 'ACTIVE' AND id > ? ORDER BY id LIMIT 500",
                    Backfill::request,
                    after);
            if (!page.isEmpty()) {
                delayQueue.scheduleAll(page); // if it throws, run the backfill again: stored tasks stay
                after = page.get(page.size() - 1).id();
                scheduled += page.size();
            }
        } while (page.size() == 500);
        return scheduled;
    }

    private static ScheduleRequest<?> request(ResultSet row, int number) throws SQLException {
        String id = row.getString("id");
        return ScheduleRequest.to("subscriptions")
                .id(id)
                .payload(new SubscriptionEnds(id))
                .dueAt(row.getTimestamp("ends_at").toInstant())
                .onConflict(ConflictPolicy.KEEP)
                .build();
    }
}
