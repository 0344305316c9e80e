// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import io.delayqueue.internal.jdbc.outbox.OutboxTransactions;
import io.delayqueue.internal.jdbc.schema.Database;
import io.delayqueue.internal.jdbc.schema.TableNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** Against an H2 in memory. */
class SweepTests {

    private final DataSource database = new DriverManagerDataSource("jdbc:h2:mem:sweep;DB_CLOSE_DELAY=-1");
    private final JdbcTemplate jdbc = new JdbcTemplate(database);
    private final AtomicInteger joined = new AtomicInteger();
    private final Sweep sweep = new Sweep(
            new OutboxTable(database, Database.H2, TableNames.DEFAULT),
            OutboxTransactions.of(database, Database.H2),
            Duration.ofMinutes(1),
            Duration.ofHours(1),
            joined::incrementAndGet);

    @BeforeEach
    void createTables() {
        DatabasePopulatorUtils.execute(
                new ResourceDatabasePopulator(new ClassPathResource("io/delayqueue/jdbc/schema-h2.sql")), database);
    }

    @AfterEach
    void dropTables() {
        jdbc.execute("DROP ALL OBJECTS");
    }

    @Test
    void takeWhenThereAreMoreRowsGoesOnAtOnceAndCallsForHelp() {
        insert("a", 3000);
        insert("b", 2000);
        insert("c", 1000);

        assertThat(sweep.take(2)).extracting(taken -> taken.row().id()).containsExactly("a", "b");
        assertThat(joined).hasValue(1);
        assertThat(sweep.untilNext()).isZero();
        assertThat(sweep.take(2)).extracting(taken -> taken.row().id()).containsExactly("c");
        assertThat(sweep.untilNext()).isPositive();
        assertThat(joined).hasValue(1);
        assertThat(jdbc.queryForList("SELECT attempts FROM delayqueue_outbox", Integer.class))
                .containsOnly(1);
    }

    @Test
    void takeBeforeItsTimeTakesNothingUnlessHurried() {
        assertThat(sweep.take(2)).isEmpty();
        insert("a", 0);
        assertThat(sweep.take(2)).isEmpty();

        sweep.hurry();

        assertThat(sweep.take(2)).hasSize(1);
    }

    /** Its row is before the start of the next search. */
    @Test
    void takeWhenATransactionHasCommittedLateLooksFromTheBeginning() {
        assertThat(sweep.take(2)).isEmpty();
        insert("late", 60_000);
        sweep.hurry();
        assertThat(sweep.take(2)).isEmpty();

        sweep.restart();
        sweep.hurry();

        assertThat(sweep.take(2)).hasSize(1);
    }

    @Test
    void takeWhileNothingIsWrittenLooksLessAndLessOften() {
        Duration interval = Duration.ofMillis(200);
        Sweep idle = new Sweep(
                new OutboxTable(database, Database.H2, TableNames.DEFAULT),
                OutboxTransactions.of(database, Database.H2),
                Duration.ofMinutes(1),
                interval,
                () -> {});

        for (int i = 0; i < 6; i++) {
            idle.hurry();
            assertThat(idle.take(2)).isEmpty();
        }
        assertThat(idle.untilNext())
                .isGreaterThan(interval.multipliedBy(5))
                .isLessThanOrEqualTo(interval.multipliedBy(10));

        idle.noteWritten();
        idle.hurry();
        assertThat(idle.take(2)).isEmpty();
        assertThat(idle.untilNext()).isLessThanOrEqualTo(interval);
    }

    private void insert(String id, long availableMillisAgo) {
        long available = System.currentTimeMillis() - availableMillisAgo;
        jdbc.update(
                "INSERT INTO delayqueue_outbox VALUES (?, 'orders', ?, 1, ?, ?, ?, 0)",
                id.getBytes(StandardCharsets.UTF_8),
                id,
                new byte[] {1},
                available,
                available);
    }
}
