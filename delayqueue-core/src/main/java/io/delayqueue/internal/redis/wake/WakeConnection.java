// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.wake;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Subscribes on a connection of its own, which is opened when first needed, and publishes on the one that all calls
 * share. For one thread, which it may block for as long as connecting may take.
 */
final class WakeConnection {

    private static final long BETWEEN_FAILURES_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final LettuceConnectionFactory connectionFactory;
    private final Events events;
    private volatile @Nullable StatefulRedisPubSubConnection<String, String> current;
    private @Nullable RuntimeException lastFailure;
    private long lastFailureNanos;

    WakeConnection(LettuceConnectionFactory connectionFactory, Events events) {
        this.connectionFactory = connectionFactory;
        this.events = events;
    }

    /**
     * Subscribes, if need be once more: the answer to that shows that the server is there and that the subscription may
     * be. Never throws.
     */
    CompletionStage<Void> subscribe(String channel) {
        try {
            return open().async().subscribe(channel);
        } catch (Throwable ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    void unsubscribe(String channel) {
        StatefulRedisPubSubConnection<String, String> connection = current;
        if (connection != null && connection.isOpen()) {
            connection.async().unsubscribe(channel);
        }
    }

    /**
     * Publishes.
     *
     * @return completes when Redis has taken the message
     * @throws RuntimeException if there is no connection and none could be made, which may have taken as long as
     *     connecting may
     */
    @SuppressWarnings("unchecked")
    CompletionStage<?> publish(String channel, String message) {
        try (RedisConnection lent = connectionFactory.getConnection()) {
            return publish((RedisClusterAsyncCommands<byte[], byte[]>) lent.getNativeConnection(), channel, message);
        }
    }

    /**
     * What the driver refuses at once costs no time, and may go for this channel alone: its node of a cluster is away.
     */
    private static CompletionStage<?> publish(
            RedisClusterAsyncCommands<byte[], byte[]> commands, String channel, String message) {
        try {
            return commands.publish(channel.getBytes(StandardCharsets.UTF_8), message.getBytes(StandardCharsets.UTF_8));
        } catch (Throwable ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    private StatefulRedisPubSubConnection<String, String> open() {
        StatefulRedisPubSubConnection<String, String> connection = current;
        if (connection == null) {
            RuntimeException failure = lastFailure;
            if (failure != null && System.nanoTime() - lastFailureNanos < BETWEEN_FAILURES_NANOS) {
                throw failure; // what it took is not to be spent once more for each channel
            }
            connection = connect();
        }
        return connection;
    }

    private StatefulRedisPubSubConnection<String, String> connect() {
        try {
            AbstractRedisClient client = connectionFactory.getRequiredNativeClient();
            StatefulRedisPubSubConnection<String, String> connection = (client instanceof RedisClusterClient cluster)
                    ? cluster.connectPubSub()
                    : ((RedisClient) client).connectPubSub();
            Forwarder forwarder = new Forwarder(connection);
            connection.addListener((RedisConnectionStateListener) forwarder);
            connection.addListener(forwarder.messages());
            current = connection;
            return connection;
        } catch (RuntimeException ex) {
            lastFailure = ex;
            lastFailureNanos = System.nanoTime();
            throw ex;
        }
    }

    /** Parts with the connection and its subscriptions; the next subscription opens another. Any thread. */
    void close() {
        StatefulRedisPubSubConnection<String, String> connection = current;
        current = null;
        if (connection != null) {
            connection.closeAsync();
        }
    }

    /** What is heard on the connection, on a thread of the driver. */
    interface Events {

        void message(String channel, String text);

        /** The server has confirmed a subscription, asked for here or by the driver after it connected again. */
        void subscribed(String channel);

        /** The connection broke; the driver connects and subscribes again. */
        void disconnected();
    }

    private final class Forwarder implements RedisConnectionStateListener {

        private final StatefulRedisPubSubConnection<String, String> from;

        Forwarder(StatefulRedisPubSubConnection<String, String> from) {
            this.from = from;
        }

        /** Whether nobody has parted with the connection yet. */
        private boolean isCurrent() {
            return current == from;
        }

        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
            if (isCurrent()) {
                events.disconnected();
            }
        }

        RedisPubSubAdapter<String, String> messages() {
            return new RedisPubSubAdapter<>() {
                @Override
                public void message(String channel, String text) {
                    if (isCurrent()) {
                        events.message(channel, text);
                    }
                }

                @Override
                public void subscribed(String channel, long count) {
                    if (isCurrent()) {
                        events.subscribed(channel);
                    }
                }
            };
        }
    }
}
