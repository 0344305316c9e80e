// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import io.delayqueue.test.server.DatabaseServer;
import io.delayqueue.test.server.PoolerServer;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.test.server.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/**
 * One Redis and one database with an outbox and a journal, and access to them that does not depend on the applications
 * that die.
 */
final class RoundServers implements AutoCloseable {

    private static final String FIRST_LEFT = "SELECT row_key FROM delayqueue_outbox ORDER BY available_at LIMIT 1";
    private static final String HOLD = "SELECT version FROM delayqueue_outbox WHERE row_key = ? FOR UPDATE";

    /** The sessions of a pooler with the database: fewer than the applications have connections. */
    private static final int SESSIONS = 10;

    private final RedisServer redis;
    private final DatabaseServer server;
    private final TestDatabase database;
    private final @Nullable PoolerServer pooler;
    private final JdbcTemplate jdbc;

    RoundServers(RoundsDatabase kind) {
        this.redis = RedisServer.available().start();
        this.server = kind.start();
        this.database = server.createDatabase("rounds");
        this.pooler = kind == RoundsDatabase.PGBOUNCER ? PoolerServer.inFrontOf(server, SESSIONS) : null;
        this.jdbc =
                new JdbcTemplate(new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password()));
        jdbc.execute(kind == RoundsDatabase.MARIADB ? Journal.MARIADB_TABLE : Journal.POSTGRES_TABLE);
        createOutbox(kind.platform());
    }

    private void createOutbox(String platform) {
        String script = "/io/delayqueue/jdbc/schema-" + platform + ".sql";
        try (InputStream in = Objects.requireNonNull(RoundServers.class.getResourceAsStream(script), script);
                Connection connection = database.connect()) {
            ScriptUtils.executeSqlScript(connection, new ByteArrayResource(in.readAllBytes()));
        } catch (IOException | SQLException ex) {
            throw new IllegalStateException(ex);
        }
    }

    /** Returns the properties of applications on these servers. */
    List<String> properties() {
        return List.of(
                "spring.data.redis.url=" + redis.uri(),
                "spring.datasource.url="
                        + (pooler == null
                                ? database.jdbcUrl()
                                : pooler.through(database).jdbcUrl() + "?prepareThreshold=0"),
                "spring.datasource.username=" + database.user(),
                "spring.datasource.password=" + database.password());
    }

    RedisServer redis() {
        return redis;
    }

    JdbcTemplate jdbc() {
        return jdbc;
    }

    /** Returns how many rows are in the outbox. */
    int left() {
        Integer rows = jdbc.queryForObject("SELECT COUNT(*) FROM delayqueue_outbox", Integer.class);
        return rows == null ? 0 : rows;
    }

    /** Runs an action while a transaction locks a remaining row. Does nothing without rows. */
    void whileOneIsHeld(Attempt attempt) throws InterruptedException {
        List<byte[]> rows = jdbc.query(FIRST_LEFT, (row, number) -> row.getBytes(1));
        if (rows.isEmpty()) {
            return;
        }
        try (Connection connection = database.connect();
                PreparedStatement statement = connection.prepareStatement(HOLD)) {
            // Lock the row by its key, to lock no gaps beside it.
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            statement.setBytes(1, rows.get(0));
            try (ResultSet row = statement.executeQuery()) {
                if (row.next()) {
                    attempt.make();
                }
            }
            connection.rollback();
        } catch (SQLException ex) {
            throw new IllegalStateException(ex);
        }
    }

    String databaseDescription() {
        return pooler == null ? server.description() : pooler.description();
    }

    @Override
    public void close() {
        if (pooler != null) {
            pooler.close();
        }
        server.close();
        redis.close();
    }

    /** The action. */
    @FunctionalInterface
    interface Attempt {

        void make() throws InterruptedException;
    }
}
