// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.wake;

import io.delayqueue.internal.redis.LazyConnection;
import io.delayqueue.internal.redis.RedisConnections;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;

/**
 * Subscribes on a separate connection, which is opened on first use, and publishes on the shared connection.
 * Non-blocking and thread-safe.
 */
final class WakeConnection {

    private final RedisConnections connections;
    private final RedisWakeSignals signals;
    private final LazyConnection<StatefulRedisPubSubConnection<String, String>> subscriptions =
            new LazyConnection<>(this::open, StatefulRedisPubSubConnection::closeAsync);

    /** @param signals receives events of the connection, on a thread of Lettuce */
    WakeConnection(RedisConnections connections, RedisWakeSignals signals) {
        this.connections = connections;
        this.signals = signals;
    }

    /** Subscribes. The stage fails if the server cannot be reached or refuses the subscription. */
    CompletionStage<Void> subscribe(String channel) {
        return subscriptions.get().thenCompose(connection -> connection.async().subscribe(channel));
    }

    void unsubscribe(String channel) {
        StatefulRedisPubSubConnection<String, String> connection = subscriptions.ifOpened();
        if (connection != null && connection.isOpen()) {
            connection.async().unsubscribe(channel);
        }
    }

    /** Publishes a message. Completes when Redis has accepted it. */
    CompletionStage<Long> publish(String channel, String message) {
        return connections
                .commands()
                .thenCompose(commands -> commands.publish(
                        channel.getBytes(StandardCharsets.UTF_8), message.getBytes(StandardCharsets.UTF_8)));
    }

    /** Closes the connection and opens a new one, without subscriptions. */
    void replace() {
        StatefulRedisPubSubConnection<String, String> connection = subscriptions.ifOpened();
        if (connection != null) {
            subscriptions.replace(connection);
        }
    }

    void close() {
        StatefulRedisPubSubConnection<String, String> connection = subscriptions.ifOpened();
        if (connection != null) {
            connection.closeAsync();
        }
    }

    private StatefulRedisPubSubConnection<String, String> open() {
        StatefulRedisPubSubConnection<String, String> connection =
                (connections.client() instanceof RedisClusterClient cluster)
                        ? cluster.connectPubSub()
                        : ((RedisClient) connections.client()).connectPubSub();
        connection.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
                if (isCurrent(connection)) {
                    signals.disconnected();
                }
            }
        });
        connection.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void message(String channel, String text) {
                if (isCurrent(connection)) {
                    signals.received(channel, text);
                }
            }

            @Override
            public void subscribed(String channel, long count) {
                if (isCurrent(connection)) {
                    signals.subscribed(channel);
                }
            }
        });
        return connection;
    }

    private boolean isCurrent(StatefulRedisPubSubConnection<String, String> connection) {
        return subscriptions.ifOpened() == connection;
    }
}
