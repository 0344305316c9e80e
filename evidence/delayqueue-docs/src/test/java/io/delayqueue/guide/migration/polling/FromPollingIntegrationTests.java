// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.migration.polling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.guide.GuideTest;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

@GuideTest
class FromPollingIntegrationTests {

    @Autowired
    private Subscriptions subscriptions;

    @Autowired
    private Backfill backfill;

    @Autowired
    private DelayQueueOperations delayQueue;

    @Autowired
    private JdbcTemplate jdbc;

    @BeforeEach
    void makeTable() {
        jdbc.execute("CREATE TABLE IF NOT EXISTS subscriptions"
                + " (id VARCHAR(40) PRIMARY KEY, status VARCHAR(10), ends_at TIMESTAMP WITH TIME ZONE)");
        jdbc.update("DELETE FROM subscriptions");
    }

    @Test
    void subscriptionWhenItsTimeIsUpEnds() {
        subscriptions.begin("short", Instant.now());
        await().until(() -> status("short").equals("ENDED"));
    }

    @Test
    void subscriptionWhenPutOffHasItsTaskThenAndDoesNotEndByAnOldOne() {
        Instant later = Instant.now().plus(Duration.ofDays(60)).truncatedTo(ChronoUnit.MILLIS);
        jdbc.update(
                "INSERT INTO subscriptions (id, status, ends_at) VALUES ('put-off', 'ACTIVE', ?)",
                Timestamp.from(Instant.now().plus(Duration.ofDays(1))));
        subscriptions.putOff("put-off", later);
        await().until(() -> delayQueue.find("subscriptions", "put-off").isPresent());
        assertThat(delayQueue.find("subscriptions", "put-off").orElseThrow().dueAt())
                .isEqualTo(later);
        delayQueue.reschedule("subscriptions", "put-off", Due.now());
        await().until(() -> delayQueue.find("subscriptions", "put-off").isEmpty());
        assertThat(status("put-off")).isEqualTo("ACTIVE");
    }

    @Test
    void backfillWhenRunTwiceSchedulesEachOnce() {
        Instant endsAt = Instant.now().plus(Duration.ofDays(30)).truncatedTo(ChronoUnit.MILLIS);
        for (int number = 0; number < 501; number++) {
            jdbc.update(
                    "INSERT INTO subscriptions (id, status, ends_at) VALUES (?, 'ACTIVE', ?)",
                    "old-%03d".formatted(number),
                    Timestamp.from(endsAt));
        }
        assertThat(backfill.run()).isEqualTo(501);
        assertThat(backfill.run()).isEqualTo(501);
        assertThat(delayQueue.find("subscriptions", "old-500").orElseThrow().dueAt())
                .isEqualTo(endsAt);
        jdbc.update("UPDATE subscriptions SET ends_at = ? WHERE id = 'old-000'", Timestamp.from(Instant.EPOCH));
        delayQueue.reschedule("subscriptions", "old-000", Due.now());
        await().until(() -> status("old-000").equals("ENDED"));
    }

    /** The loop of the page runs until the new code and the backfill are there. */
    @Test
    void switchFromALoopThatRunsEndsEachSubscriptionOnce() throws InterruptedException {
        AtomicInteger endedByLoop = new AtomicInteger();
        AtomicBoolean switched = new AtomicBoolean();
        Thread loop = new Thread(() -> {
            while (!switched.get()) {
                endedByLoop.addAndGet(jdbc.update(
                        "UPDATE subscriptions SET status = 'ENDED' WHERE status = 'ACTIVE' AND ends_at <= ?",
                        Timestamp.from(Instant.now())));
                LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
            }
        });
        for (int number = 0; number < 200; number++) {
            jdbc.update(
                    "INSERT INTO subscriptions (id, status, ends_at) VALUES (?, 'ACTIVE', ?)",
                    "before-%03d".formatted(number),
                    Timestamp.from(Instant.now().plusMillis(20L * number)));
        }
        loop.start();
        for (int number = 0; number < 100; number++) { // step 1
            subscriptions.begin("after-%03d".formatted(number), Instant.now().plusMillis(20L * number));
        }
        await().until(() -> endedByLoop.get() > 0);
        backfill.run(); // step 2
        switched.set(true); // step 3
        loop.join();

        await().until(() -> count("ACTIVE") == 0);
        assertThat(count("ENDED")).isEqualTo(300);
    }

    private int count(String status) {
        return jdbc.queryForObject("SELECT COUNT(*) FROM subscriptions WHERE status = ?", Integer.class, status);
    }

    private String status(String id) {
        return jdbc.queryForObject("SELECT status FROM subscriptions WHERE id = ?", String.class, id);
    }
}
