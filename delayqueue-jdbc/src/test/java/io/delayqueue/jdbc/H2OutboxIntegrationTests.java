// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RedisServer;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

@DelayQueueServers
class H2OutboxIntegrationTests extends OutboxContract {

    private static final DataSource DATABASE =
            new DriverManagerDataSource("jdbc:h2:mem:outbox;DB_CLOSE_DELAY=-1", "sa", "");

    @Override
    DataSource dataSource() {
        return DATABASE;
    }

    @ParameterizedTest
    @ValueSource(strings = {"relay.leese", "tabel-prefix"})
    void propertiesWhenNothingReadsThemAreRefused(String name, RedisServer redis) {
        assertThatThrownBy(() -> new OutboxApplication(
                        DATABASE, redis.uri().toString(), "t" + System.nanoTime(), "delayqueue.jdbc." + name + "=1s"))
                .hasStackTraceContaining("Nothing reads the property delayqueue.jdbc." + name);
    }
}
