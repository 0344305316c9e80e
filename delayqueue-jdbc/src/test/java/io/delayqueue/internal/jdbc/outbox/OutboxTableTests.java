// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.jdbc.schema.Database;
import io.delayqueue.internal.jdbc.schema.TableNames;
import io.delayqueue.jdbc.OutboxStatistics;
import java.time.Duration;
import java.util.Map;
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
class OutboxTableTests {

    private static final RowKey KEY = RowKey.of("orders", "a");

    private final DataSource database = new DriverManagerDataSource("jdbc:h2:mem:outboxtable;DB_CLOSE_DELAY=-1");
    private final JdbcTemplate jdbc = new JdbcTemplate(database);
    private final OutboxTable table = new OutboxTable(database, Database.H2, TableNames.DEFAULT);

    @BeforeEach
    void createTables() {
        DatabasePopulatorUtils.execute(
                new ResourceDatabasePopulator(new ClassPathResource("io/delayqueue/jdbc/schema-h2.sql")), database);
    }

    @AfterEach
    void dropTables() {
        jdbc.execute("DROP ALL OBJECTS");
    }

    /** A task with continuous calls may keep its row for ever, but each call reaches Redis. */
    @Test
    void oldestWhenWhatWasSentIsCutOffIsTheAgeOfTheRest() {
        assertThat(statistics().oldest()).isZero();
        jdbc.update(
                "INSERT INTO delayqueue_outbox VALUES (?, 'orders', 'a', 1, ?, 0, ?, 0)",
                KEY.bytes(),
                new byte[] {1, 2, 3},
                System.currentTimeMillis() - Duration.ofHours(2).toMillis());
        assertThat(statistics().oldest()).isBetween(Duration.ofHours(2), Duration.ofHours(3));

        table.cut(Map.of(KEY, new byte[] {3}), Duration.ofMinutes(1), true);

        assertThat(statistics().oldest()).isLessThan(Duration.ofMinutes(1));
        assertThat(jdbc.queryForObject("SELECT operations FROM delayqueue_outbox", byte[].class))
                .containsExactly(3);
        assertThat(statistics().overdue()).isZero();
    }

    private OutboxStatistics statistics() {
        return new JdbcOutbox(database, Database.H2, TableNames.DEFAULT, Runnable::run).statistics();
    }
}
