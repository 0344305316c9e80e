// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.LogLines;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The life of the cleanup, against an H2 in memory. */
class InboxCleanupTests {

    private final JdbcTemplate jdbc =
            new JdbcTemplate(new DriverManagerDataSource("jdbc:h2:mem:cleanup;DB_CLOSE_DELAY=-1"));
    private final InboxCleanup cleanup = new InboxCleanup(
            jdbc,
            new InboxTable(jdbc, "shop_inbox"),
            new InboxCleanup.Options(Duration.ofDays(1), Duration.ofMillis(20), 10),
            Clock.systemUTC());

    @AfterEach
    void stop() {
        cleanup.stop();
        jdbc.execute("DROP ALL OBJECTS");
    }

    @Test
    void cleanupWhenTheTableIsAwaySaysSoOnceAndGoesOnWhenItIsThere() {
        try (LogLines log = new LogLines()) {
            cleanup.start();
            assertThat(cleanup.isRunning()).isTrue();
            await().until(() -> lines(log, "cannot be deleted") > 0);
            jdbc.execute("CREATE TABLE shop_inbox (consumer VARCHAR(64), task_key CHAR(22), received_at BIGINT)");
            AtomicLong rows = new AtomicLong();
            for (; rows.get() < 25; rows.incrementAndGet()) {
                jdbc.update("INSERT INTO shop_inbox VALUES ('orders', ?, 0)", "%022d".formatted(rows.get()));
            }
            await().until(() -> jdbc.queryForObject("SELECT COUNT(*) FROM shop_inbox", Long.class) == 0);
            await().until(() -> lines(log, "deleted again") == 1);
            assertThat(lines(log, "cannot be deleted")).isEqualTo(1);
        }
        cleanup.stop();
        assertThat(cleanup.isRunning()).isFalse();
    }

    private static long lines(LogLines log, String part) {
        return log.all().stream().filter(line -> line.contains(part)).count();
    }
}
