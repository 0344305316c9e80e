// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import static io.delayqueue.test.server.RedisServerIntegrationTests.isAlive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a test can do to a database server, and what is left of it; the same for each product. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DatabaseServerContract {

    private DatabaseServer server;
    private TestDatabase database;

    abstract DatabaseServerBuilder builder();

    @BeforeAll
    void start() {
        server = builder().unflushed().start();
    }

    @AfterAll
    void close() {
        long pid = server.pid();
        server.close();
        await().untilAsserted(() -> assertThat(isAlive(pid)).isFalse());
    }

    @BeforeEach
    void emptyDatabase() throws SQLException {
        server.start();
        database = server.createDatabase("orders");
        execute("CREATE TABLE orders (id INT PRIMARY KEY)");
    }

    @Test
    void killLosesNothingThatWasCommittedAndTheServerComesBackOnItsPort() throws Exception {
        int port = server.port();
        execute("INSERT INTO orders VALUES (1)");
        try (Connection open = database.connect();
                Statement statement = open.createStatement()) {
            open.setAutoCommit(false);
            statement.execute("INSERT INTO orders VALUES (2)");

            server.kill();

            assertThatThrownBy(open::commit).isInstanceOf(SQLException.class);
        } catch (SQLException closingADeadConnection) {
            assertThat(server.isRunning()).isFalse();
        }
        server.start();

        assertThat(server.port()).isEqualTo(port);
        assertThat(ids()).containsExactly(1);
    }

    @Test
    void stopEndsTheServerThoughClientsAreConnected() throws Exception {
        execute("INSERT INTO orders VALUES (3)");
        try (Connection open = database.connect()) {
            server.restart();
            assertThat(open.isValid(1)).isFalse();
        }
        assertThat(ids()).containsExactly(3);
    }

    @Test
    void suspendFreezesWhatServesAClientUntilResume() throws Exception {
        try (Connection open = database.connect();
                Statement statement = open.createStatement()) {
            server.suspend();
            CompletableFuture<Boolean> answer = CompletableFuture.supplyAsync(() -> {
                try {
                    return statement.execute("INSERT INTO orders VALUES (4)");
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            try {
                await().during(Duration.ofMillis(300)).until(() -> !answer.isDone());
            } finally {
                server.resume();
            }
            assertThat(answer.join()).isFalse();
        }
        assertThat(ids()).containsExactly(4);
    }

    @Test
    void createDatabaseDropsTheOneOfThatNameAndRefusesStrangeNames() throws Exception {
        execute("INSERT INTO orders VALUES (5)");

        database = server.createDatabase("orders");

        assertThatThrownBy(this::ids).isInstanceOf(SQLException.class);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> server.createDatabase("orders; DROP DATABASE mysql"));
    }

    @Test
    void listensOnLoopbackOnly() throws Exception {
        for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
            List<InetAddress> addresses = each.inetAddresses()
                    .filter(address -> !address.isLoopbackAddress())
                    .toList();
            for (InetAddress address : addresses) {
                assertThatThrownBy(() -> new Socket(address, server.port()).close())
                        .isInstanceOf(IOException.class);
            }
        }
        assertThat(ids()).isEmpty();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<Integer> ids() throws SQLException {
        List<Integer> ids = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id FROM orders ORDER BY id")) {
            while (rows.next()) {
                ids.add(rows.getInt(1));
            }
        }
        return ids;
    }
}
