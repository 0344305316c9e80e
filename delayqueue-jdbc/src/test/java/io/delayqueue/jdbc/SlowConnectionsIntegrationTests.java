// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.test.junit.DelayQueueServers;
import io.delayqueue.test.server.RedisServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A relay whose pool has a connection to spare only now and then. */
@DelayQueueServers
class SlowConnectionsIntegrationTests {

    private static final DataSource DATABASE =
            new DriverManagerDataSource("jdbc:h2:mem:slow;DB_CLOSE_DELAY=-1", "sa", "");

    /** More than a quarter of the application's lease, and less than the half of it in which a row may be sent. */
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    @Test
    void rowsWhenEachConnectionIsLateAreSentInLargeBatches(RedisServer redis) {
        String uri = redis.uri().toString();
        String keys = "t" + System.nanoTime();
        AtomicInteger connections = new AtomicInteger();
        DataSource slow = new DelegatingDataSource(DATABASE) {
            @Override
            public Connection getConnection() throws SQLException {
                connections.incrementAndGet();
                LockSupport.parkNanos(WAIT_NANOS);
                return super.getConnection();
            }
        };
        try (OutboxApplication writer =
                        new OutboxApplication(DATABASE, uri, keys, "delayqueue.jdbc.relay.enabled=false");
                OutboxApplication relay = new OutboxApplication(slow, uri, keys)) {
            List<String> ids = IntStream.range(0, 500).mapToObj(i -> "id-" + i).toList();
            writer.transactions()
                    .executeWithoutResult(status -> writer.outbox()
                            .scheduleAll(ids.stream()
                                    .map(id -> OutboxScene.request(id, Duration.ofHours(1)))
                                    .toList()));

            await().atMost(OutboxScene.PATIENCE)
                    .untilAsserted(() -> assertThat(writer.rows()).isZero());
            assertThat(connections).hasValueLessThan(250);
            assertThat(relay.heard().sent)
                    .as("more where a lease ended on a machine that stood still")
                    .hasSizeLessThan(600)
                    .extracting(SentOperation::id)
                    .containsAll(ids);
        }
    }
}
