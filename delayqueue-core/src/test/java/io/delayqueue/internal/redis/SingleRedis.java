// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.redis.rights.RedisRights;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One server. */
public final class SingleRedis extends TestRedis {

    private final RedisServerProcess server;
    private final RedisClient client;
    private final RedisCommands<String, String> raw;

    public SingleRedis(RedisBinary binary, String... options) {
        this.server = RedisServerProcess.start(binary, withUser(options));
        this.client = RedisClient.create(RedisURI.create("127.0.0.1", server.port()));
        this.raw = client.connect(new StringCodec(StandardCharsets.ISO_8859_1)).sync();
    }

    private static String[] withUser(String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        String user = RedisRights.ofEveryPrefix().user(USER, PASSWORD);
        List<String> words = List.of(user.split(" "));
        all.add("--" + words.get(0));
        all.addAll(words.subList(1, words.size()));
        return all.toArray(String[]::new);
    }

    @Override
    public RedisCommands<String, String> raw() {
        return raw;
    }

    @Override
    RedisCommands<String, String> node() {
        return raw;
    }

    @Override
    void everyNode(Consumer<RedisClusterCommands<String, String>> call) {
        call.accept(raw);
    }

    @Override
    public RedisServerProcess server() {
        return server;
    }

    @Override
    RedisTarget target() {
        return RedisTarget.of(RedisURI.create("127.0.0.1", server.port()));
    }

    @Override
    StatefulRedisPubSubConnection<String, String> connectSubscriber() {
        return client.connectPubSub();
    }

    @Override
    public void close() {
        closeConnections();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        server.close();
    }
}
