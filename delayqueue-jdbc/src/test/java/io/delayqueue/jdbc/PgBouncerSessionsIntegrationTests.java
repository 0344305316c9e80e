// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.DatabaseServer;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.test.server.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The sessions of PostgreSQL behind a PgBouncer that pools by transaction. */
@DelayQueueServers(database = DelayQueueServers.Database.POSTGRES)
class PgBouncerSessionsIntegrationTests {

    /** The outbox's own transactions are less strict, and what they need for that is theirs alone. */
    @Test
    void sessionsWhenTheDatabaseIsStricterStayAsStrictForThoseWhoComeNext(
            DatabaseServer server, TestDatabase database, RedisServer redis) throws SQLException {
        TestDatabase stricter = server.createDatabase("stricter");
        try (Connection connection = stricter.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER DATABASE stricter SET default_transaction_isolation TO 'repeatable read'");
        }
        try (Pooler pooler = new Pooler(server, database);
                HikariDataSource other = pooler.pool(stricter);
                OutboxApplication app = new OutboxApplication(other, redis.uri().toString(), "stricter")) {
            for (int i = 0; i < 20; i++) {
                app.transactions()
                        .executeWithoutResult(
                                status -> app.outbox().schedule(requestTo("orders", "x", Duration.ofHours(1))));
            }
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(app.rows()).isZero());
            assertThat(app.heard().sent).hasSize(20);
            assertThat(levels(other)).containsOnly("repeatable read");
        }
    }

    /** Returns the levels of all sessions: a transaction holds each session while the next one is queried. */
    private static List<String> levels(DataSource database) throws SQLException {
        List<String> levels = new ArrayList<>();
        List<Connection> held = new ArrayList<>();
        try {
            for (int i = 0; i < Pooler.SESSIONS / 2; i++) {
                Connection connection = database.getConnection();
                held.add(connection);
                connection.setAutoCommit(false);
                try (Statement statement = connection.createStatement();
                        ResultSet level = statement.executeQuery("SHOW default_transaction_isolation")) {
                    level.next();
                    levels.add(level.getString(1));
                }
            }
        } finally {
            for (Connection connection : held) {
                connection.close();
            }
        }
        return levels;
    }
}
