// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console;

import io.delayqueue.test.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Instant;

/** Writes the deliveries of a queue in earlier hours, as processes have counted them. */
public final class PastHours implements AutoCloseable {

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final String key;

    /** Deletes all earlier counts of the queue. */
    public PastHours(RedisServer redis, String keyPrefix, String queue) {
        client = RedisClient.create(redis.adminUri().toString());
        connection = client.connect();
        key = keyPrefix + ":{" + queue + "}:rates";
        connection.sync().del(key);
    }

    /** Adds the minute that was now some minutes ago. */
    public void minute(int ago, String counts) {
        long minute = Instant.now().getEpochSecond() / 60 - ago;
        connection.sync().hset(key, String.valueOf(minute % 1440), "1:" + minute + ":" + counts);
    }

    /** Adds the hour that was now some hours ago, and the hour before it. */
    public void hours(int ago, String counts) {
        long hour = Instant.now().getEpochSecond() / 3600 - ago;
        for (long each = hour - 1; each <= hour; each++) {
            connection.sync().hset(key, "h" + each % 2160, "1:" + each + ":" + counts);
        }
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
