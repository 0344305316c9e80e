// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A server with two ways in: the library's connection factory, and a raw one that sees bytes as Latin-1 text. */
final class TestRedis implements AutoCloseable {

    static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Map<RedisBinary, TestRedis> SHARED = new EnumMap<>(RedisBinary.class);

    private final RedisServerProcess server;
    private final RedisClient client;
    private final RedisCommands<String, String> raw;
    private final List<Runnable> opened = new ArrayList<>();
    private LettuceConnectionFactory connections;

    private TestRedis(RedisBinary binary, String... options) {
        this.server = RedisServerProcess.start(binary, options);
        this.client = RedisClient.create(RedisURI.create("127.0.0.1", server.port()));
        this.raw = client.connect(new StringCodec(StandardCharsets.ISO_8859_1)).sync();
    }

    static TestRedis start(RedisBinary binary, String... options) {
        return new TestRedis(binary, options);
    }

    /** One that lives as long as this JVM, for tests that clean up after themselves. */
    static synchronized TestRedis shared(RedisBinary binary) {
        return SHARED.computeIfAbsent(binary, TestRedis::new);
    }

    RedisServerProcess server() {
        return server;
    }

    RedisCommands<String, String> raw() {
        return raw;
    }

    /** What the library would use. */
    synchronized LettuceConnectionFactory connections() {
        if (connections == null) {
            connections = connections("default", null, TIMEOUT);
        }
        return connections;
    }

    LettuceConnectionFactory connections(String user, String password, Duration timeout) {
        RedisStandaloneConfiguration address = new RedisStandaloneConfiguration("127.0.0.1", server.port());
        if (password != null) {
            address.setUsername(user);
            address.setPassword(password);
        }
        LettuceConnectionFactory application = new LettuceConnectionFactory(address);
        LettuceConnectionFactory own = RedisConnections.derive(application, timeout, 10_000);
        own.afterPropertiesSet();
        own.start();
        opened.add(own::destroy);
        return own;
    }

    StatefulRedisPubSubConnection<String, String> subscriber() {
        StatefulRedisPubSubConnection<String, String> connection = client.connectPubSub();
        opened.add(connection::close);
        return connection;
    }

    @Override
    public void close() {
        opened.forEach(Runnable::run);
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        server.close();
    }
}
