// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.test.server.RedisSentinels;
import io.delayqueue.test.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** A master whose address the library learns from Sentinels. */
final class SentinelRedis extends TestRedis {

    private final RedisSentinels sentinels;
    private final RedisServer master;
    private final RedisClient client;
    private final RedisCommands<String, String> raw;

    SentinelRedis(RedisSentinels sentinels) {
        this.sentinels = sentinels;
        this.master = sentinels.master();
        this.client = RedisClient.create(RedisURI.create(master.adminUri()));
        this.raw = client.connect(new StringCodec(StandardCharsets.ISO_8859_1)).sync();
    }

    @Override
    RedisCommands<String, String> raw() {
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
    BreakableServer server() {
        return new BreakableServer() {

            @Override
            public int port() {
                return master.port();
            }

            @Override
            public void kill() {
                master.kill();
            }

            @Override
            public void restart() {
                master.kill();
                master.start();
            }
        };
    }

    @Override
    RedisTarget target() {
        RedisURI.Builder address = RedisURI.builder().withSentinelMasterId(RedisSentinels.MASTER_NAME);
        sentinels.sentinelUris().forEach(uri -> {
            RedisURI sentinel = RedisURI.create(uri.getHost(), uri.getPort());
            sentinel.setAuthentication(USER, PASSWORD.toCharArray());
            address.withSentinel(sentinel);
        });
        return RedisTarget.of(address.build());
    }

    @Override
    StatefulRedisPubSubConnection<String, String> connectSubscriber() {
        return client.connectPubSub();
    }

    /** Brings back what a test took away; the servers go on for the next. */
    @Override
    public void close() {
        closeConnections();
        master.start();
    }
}
