// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static io.delayqueue.TestRequests.requestTo;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.jdbc.core.JdbcTemplate;

/** Applications on one Redis and one database. The DataSource hands out another connection each time. */
abstract class OutboxScene {

    static final Duration PATIENCE = Duration.ofSeconds(20);
    static final Duration LATER = Duration.ofHours(1);

    private RedisServer redis;

    abstract DataSource dataSource();

    abstract String keyPrefix();

    @BeforeEach
    void at(RedisServer redis) {
        this.redis = redis;
    }

    final OutboxApplication start(String... properties) {
        return start(redis, properties);
    }

    final OutboxApplication start(DataSource database, String... properties) {
        return new OutboxApplication(database, redis.uri().toString(), keyPrefix(), properties);
    }

    final OutboxApplication start(RedisServer server, String... properties) {
        return new OutboxApplication(dataSource(), server.uri().toString(), keyPrefix(), properties);
    }

    final void deleteRows() {
        JdbcTemplate jdbc = new JdbcTemplate(dataSource());
        jdbc.update("DELETE FROM delayqueue_outbox");
        jdbc.update("DELETE FROM delayqueue_outbox_rejected");
    }

    static ScheduleRequest<?> request(String id, Duration delay) {
        return request("orders", id, delay);
    }

    static ScheduleRequest<?> request(String queue, String id, Duration delay) {
        return requestTo(queue, id, "x", delay);
    }
}
