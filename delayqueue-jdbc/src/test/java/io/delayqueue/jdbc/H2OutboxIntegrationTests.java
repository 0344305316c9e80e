// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RedisServer;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

@DelayQueueServers
class H2OutboxIntegrationTests extends OutboxContract {

    private static final DataSource DATABASE =
            new DriverManagerDataSource("jdbc:h2:mem:outbox;DB_CLOSE_DELAY=-1", "sa", "");

    @Override
    DataSource dataSource() {
        return DATABASE;
    }

    /** A pool may have another isolation level, with which the outbox's own transactions would fail on changed rows. */
    @Test
    void relayWhenThePoolHasAnotherIsolationReadsWhatIsCommitted(RedisServer redis) {
        Set<Integer> isolations = ConcurrentHashMap.newKeySet();
        DataSource strict = new DelegatingDataSource(DATABASE) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                return (Connection) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                            if (method.getName().equals("prepareStatement")
                                    && arguments[0].toString().contains("SKIP LOCKED")) {
                                isolations.add(connection.getTransactionIsolation());
                            }
                            return method.invoke(connection, arguments);
                        });
            }
        };
        try (OutboxApplication app = new OutboxApplication(strict, redis.uri().toString(), "t" + System.nanoTime())) {
            app.transactions()
                    .executeWithoutResult(
                            status -> app.outbox().schedule(requestTo("orders", "x", Duration.ofHours(1))));
            await().untilAsserted(() -> assertThat(isolations).isNotEmpty());
            assertThat(isolations).containsExactly(Connection.TRANSACTION_READ_COMMITTED);
            await().untilAsserted(() -> assertThat(app.rows()).isZero());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"relay.leese", "tabel-prefix", "inbox.retension"})
    void propertiesWhenNothingReadsThemAreRefused(String name, RedisServer redis) {
        assertThatThrownBy(() -> new OutboxApplication(
                        DATABASE, redis.uri().toString(), "t" + System.nanoTime(), "delayqueue.jdbc." + name + "=1s"))
                .hasStackTraceContaining("The library does not know the property delayqueue.jdbc." + name);
    }
}
