// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.redis;

import io.delayqueue.store.WakeSignals;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Wake signals by Redis publish/subscribe, on one connection of their own. Connecting and subscribing are tried again until
 * they succeed; after every (re)subscription each poller looks at all its shards, for signals may have been lost.
 */
public final class RedisWakeSignals implements WakeSignals, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RedisWakeSignals.class);
    private static final long RETRY_MILLIS = 1000;

    private final LettuceConnectionFactory connectionFactory;
    private final RedisKeys keys;
    private final Map<String, Listener> listeners = new ConcurrentHashMap<>();
    private final ScheduledExecutorService connector;
    private @Nullable StatefulRedisPubSubConnection<String, String> connection;
    private boolean warned;
    private volatile boolean closed;

    /** @param connectionFactory started; its native client opens the connection */
    public RedisWakeSignals(LettuceConnectionFactory connectionFactory, RedisKeys keys) {
        this.connectionFactory = connectionFactory;
        this.keys = keys;
        CustomizableThreadFactory threads = new CustomizableThreadFactory("delayqueue-wake-");
        threads.setDaemon(true);
        this.connector = Executors.newSingleThreadScheduledExecutor(threads);
    }

    @Override
    public Registration listen(String queue, Listener listener) {
        String channel = keys.wakeChannel(queue);
        listeners.put(channel, listener);
        connector.execute(() -> subscribe(channel));
        return () -> {
            if (listeners.remove(channel, listener) && !closed) {
                connector.execute(() -> unsubscribe(channel));
            }
        };
    }

    private void subscribe(String channel) {
        if (closed || !listeners.containsKey(channel)) {
            return;
        }
        try {
            connect().async().subscribe(channel).whenComplete((ignored, error) -> {
                if (error != null) {
                    subscribeLater(channel, error);
                }
            });
        } catch (RuntimeException ex) {
            subscribeLater(channel, ex);
        }
    }

    private void subscribeLater(String channel, Throwable error) {
        if (closed) {
            return;
        }
        if (!warned) {
            warned = true;
            log.warn(
                    "Cannot subscribe to {}; new tasks may be late by the back-stop interval until this heals: {}",
                    channel,
                    error.toString());
        }
        connector.schedule(() -> subscribe(channel), RETRY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void unsubscribe(String channel) {
        if (listeners.containsKey(channel)) {
            return; // listened to again in the meantime
        }
        if (connection != null && connection.isOpen()) {
            connection.async().unsubscribe(channel);
        }
    }

    private StatefulRedisPubSubConnection<String, String> connect() {
        StatefulRedisPubSubConnection<String, String> current = connection;
        if (current == null) {
            AbstractRedisClient client = connectionFactory.getRequiredNativeClient();
            if (client instanceof RedisClusterClient cluster) {
                current = cluster.connectPubSub();
            } else {
                current = ((RedisClient) client).connectPubSub();
            }
            current.addListener(new Forwarder());
            connection = current;
        }
        return current;
    }

    @Override
    public void close() {
        closed = true;
        connector.shutdownNow();
        StatefulRedisPubSubConnection<String, String> current = connection;
        if (current != null) {
            current.closeAsync();
        }
    }

    private final class Forwarder extends RedisPubSubAdapter<String, String> {

        @Override
        public void message(String channel, String message) {
            Listener listener = listeners.get(channel);
            if (listener == null) {
                return;
            }
            try {
                listener.wake(Integer.parseInt(message));
            } catch (NumberFormatException ex) {
                listener.wakeAll();
            }
        }

        @Override
        public void subscribed(String channel, long count) {
            warned = false;
            Listener listener = listeners.get(channel);
            if (listener != null) {
                listener.wakeAll();
            }
        }
    }
}
