// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.test.server.RedisCluster;
import io.delayqueue.test.server.RedisServer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/** A cluster. One of its nodes holds the shard that the contracts use. */
final class ClusteredRedis extends TestRedis {

    private final RedisCluster cluster;
    private final RedisClusterClient client;
    private final StatefulRedisClusterConnection<String, String> connection;

    ClusteredRedis(RedisCluster cluster) {
        this.cluster = cluster;
        this.client = RedisClusterClient.create(cluster.nodes().stream()
                .map(node -> RedisURI.create(node.adminUri()))
                .toList());
        this.connection = client.connect(new StringCodec(StandardCharsets.ISO_8859_1));
    }

    private RedisServer owner() {
        return cluster.masterOf(ShardState.key(StoreContract.SHARD, "index"));
    }

    @Override
    RedisClusterCommands<String, String> raw() {
        return connection.sync();
    }

    @Override
    RedisCommands<String, String> node() {
        return commands(owner());
    }

    private RedisCommands<String, String> commands(RedisServer node) {
        return connection.getConnection(node.host(), node.port()).sync();
    }

    @Override
    void everyNode(Consumer<RedisClusterCommands<String, String>> call) {
        cluster.nodes().forEach(node -> call.accept(commands(node)));
    }

    @Override
    BreakableServer server() {
        RedisServer owner = owner();
        return new BreakableServer() {

            @Override
            public int port() {
                return owner.port();
            }

            @Override
            public void kill() {
                owner.kill();
            }

            @Override
            public void restart() {
                owner.kill();
                owner.start();
                cluster.awaitHealthy();
            }
        };
    }

    @Override
    RedisTarget target() {
        return ClusterTargets.of(cluster);
    }

    @Override
    StatefulRedisPubSubConnection<String, String> connectSubscriber() {
        return client.connectPubSub();
    }

    /** Restores what a test stopped; the next test uses the same cluster. */
    @Override
    public void close() {
        closeConnections();
        List<RedisServer> dead =
                cluster.nodes().stream().filter(node -> !node.isRunning()).toList();
        dead.forEach(RedisServer::start);
        cluster.awaitHealthy();
    }
}
