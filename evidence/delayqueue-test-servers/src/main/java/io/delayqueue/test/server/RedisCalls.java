// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import io.lettuce.core.sentinel.api.sync.RedisSentinelCommands;
import java.time.Duration;
import java.util.function.Function;

/** An operator's commands to single servers. Each call opens and closes its own connection. */
final class RedisCalls implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final RedisClient client = RedisClient.create();

    <T> T on(TestServer server, Function<RedisCommands<String, String>, T> call) {
        try (StatefulRedisConnection<String, String> connection = client.connect(address(server))) {
            return call.apply(connection.sync());
        }
    }

    <T> T onSentinel(TestServer server, Function<RedisSentinelCommands<String, String>, T> call) {
        try (StatefulRedisSentinelConnection<String, String> connection = client.connectSentinel(address(server))) {
            return call.apply(connection.sync());
        }
    }

    private static RedisURI address(TestServer server) {
        return RedisURI.builder()
                .withHost(server.host())
                .withPort(server.port())
                .withTimeout(TIMEOUT)
                .build();
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
