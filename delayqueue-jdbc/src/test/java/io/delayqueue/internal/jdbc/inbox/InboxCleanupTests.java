// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.delayqueue.LogLines;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.jdbc.schema.Database;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The life of the cleanup, against an H2 in memory. */
class InboxCleanupTests {

    private final DataSource database = new DriverManagerDataSource("jdbc:h2:mem:cleanup;DB_CLOSE_DELAY=-1");
    private final JdbcTemplate jdbc = new JdbcTemplate(database);
    private final InboxCleanup cleanup = new InboxCleanup(
            database,
            new InboxTable(Database.H2, "shop_inbox"),
            new InboxCleanup.Options(Duration.ofDays(1), Duration.ofMillis(20), 10),
            Clock.systemUTC(),
            new Scheduler().worker());

    @AfterEach
    void stop() {
        cleanup.close();
        jdbc.execute("DROP ALL OBJECTS");
    }

    @Test
    void cleanupWhenTheTableIsAwaySaysSoOnceAndGoesOnWhenItIsThere() {
        try (LogLines log = new LogLines()) {
            cleanup.start();
            await().until(() -> lines(log, "Could not delete old inbox rows") > 0);
            jdbc.execute("CREATE TABLE shop_inbox (consumer VARCHAR(64), task_key CHAR(22), received_at BIGINT)");
            AtomicLong rows = new AtomicLong();
            for (; rows.get() < 25; rows.incrementAndGet()) {
                jdbc.update("INSERT INTO shop_inbox VALUES ('orders', ?, 0)", "%022d".formatted(rows.get()));
            }
            await().until(() -> jdbc.queryForObject("SELECT COUNT(*) FROM shop_inbox", Long.class) == 0);
            await().until(() -> lines(log, "Deleting old inbox rows works again") == 1);
            assertThat(lines(log, "Could not delete old inbox rows")).isEqualTo(1);
        }
    }

    @Test
    void cleanupWhenARoundEndsWithAnErrorGoesOnWithTheNext() {
        AtomicLong rounds = new AtomicLong();
        InstantSource broken = () -> {
            rounds.incrementAndGet();
            throw new NoClassDefFoundError("of a driver");
        };
        InboxCleanup there = new InboxCleanup(
                database,
                new InboxTable(Database.H2, "shop_inbox"),
                new InboxCleanup.Options(Duration.ofDays(1), Duration.ofMillis(20), 10),
                broken.withZone(ZoneOffset.UTC),
                new Scheduler().worker());
        try (LogLines log = new LogLines()) {
            there.start();
            await().until(() -> rounds.get() > 2);
            assertThat(lines(log, "Could not delete old inbox rows")).isEqualTo(1);
        } finally {
            there.close();
        }
    }

    /** Such a pool rolls back uncommitted changes, so that each batch would find the same rows. */
    @Test
    @Timeout(20)
    void cleanWhenThePoolDoesNotCommitByItselfDeletesEachRowOnce() {
        jdbc.execute("CREATE TABLE shop_inbox (consumer VARCHAR(64), task_key CHAR(22), received_at BIGINT)");
        for (int i = 0; i < 25; i++) {
            jdbc.update("INSERT INTO shop_inbox VALUES ('orders', ?, 0)", "%022d".formatted(i));
        }
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl("jdbc:h2:mem:cleanup");
            pool.setAutoCommit(false);
            pool.setMaximumPoolSize(2);
            InboxCleanup there = new InboxCleanup(
                    pool,
                    new InboxTable(Database.H2, "shop_inbox"),
                    new InboxCleanup.Options(Duration.ofDays(1), Duration.ofHours(1), 10),
                    Clock.systemUTC(),
                    new Scheduler().worker());
            assertThat(there.clean()).isEqualTo(25);
        }
        assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM shop_inbox", Long.class))
                .isZero();
    }

    private static long lines(LogLines log, String part) {
        return log.all().stream().filter(line -> line.contains(part)).count();
    }
}
