// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.redis;

import io.delayqueue.redis.Members.Kind;
import io.delayqueue.redis.Members.Message;
import io.delayqueue.store.ShardOwnership;
import io.delayqueue.store.WakeSignals;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Wake signals and heartbeats by Redis publish/subscribe, on one connection of their own. Connecting and subscribing are tried
 * again until they succeed; after every (re)subscription each poller looks at all its shards, for signals may have been lost.
 *
 * <p>Each process publishes a heartbeat on the channels that it listens to. From those of the others it knows who shares the
 * queue; its own, coming back, tells it that the channel works. Nothing is stored: where heartbeats are lost, as when the Redis
 * user may not publish, every process owns every shard.
 */
public final class RedisWakeSignals implements WakeSignals, ShardOwnership, AutoCloseable {

    /** How often a process gives a sign of life on each of its queues. */
    public static final Duration DEFAULT_HEARTBEAT = Duration.ofSeconds(10);

    /** What the script says that records another layout. */
    private static final String LAYOUT = "layout";

    private static final Logger log = LoggerFactory.getLogger(RedisWakeSignals.class);
    private static final Pattern SHARD = Pattern.compile("[0-9]{1,6}");
    private static final long RETRY_MILLIS = 1000;
    private static final long ANSWER_MILLIS = 100;
    private static final long GOODBYE_MILLIS = 500;
    private static final int MOST_FAILURES = 3;
    private static final int HEARTBEATS_TO_MISS = 2;

    private final LettuceConnectionFactory connectionFactory;
    private final RedisKeys keys;
    private final long heartbeatNanos;
    private final String self = UUID.randomUUID().toString();
    private final Map<String, Channel> channels = new ConcurrentHashMap<>();
    private final ScheduledExecutorService connector;
    private @Nullable StatefulRedisPubSubConnection<String, String> connection;
    private boolean warned;
    private volatile boolean closed;

    /** @param connectionFactory started; its native client opens the connection */
    public RedisWakeSignals(LettuceConnectionFactory connectionFactory, RedisKeys keys) {
        this(connectionFactory, keys, DEFAULT_HEARTBEAT);
    }

    /**
     * @param connectionFactory started; its native client opens the connection
     * @param heartbeat how often to give a sign of life; two that are missing end a membership
     */
    public RedisWakeSignals(LettuceConnectionFactory connectionFactory, RedisKeys keys, Duration heartbeat) {
        this.connectionFactory = connectionFactory;
        this.keys = keys;
        this.heartbeatNanos = heartbeat.toNanos();
        CustomizableThreadFactory threads = new CustomizableThreadFactory("delayqueue-wake-");
        threads.setDaemon(true);
        this.connector = Executors.newSingleThreadScheduledExecutor(threads);
        connector.scheduleWithFixedDelay(everAgain(this::beat), heartbeatNanos, heartbeatNanos, TimeUnit.NANOSECONDS);
        connector.scheduleWithFixedDelay(
                everAgain(this::expire), heartbeatNanos, heartbeatNanos / 5, TimeUnit.NANOSECONDS);
    }

    @Override
    public Registration listen(String queue, Listener listener) {
        Channel channel = channel(queue);
        channel.listener = listener;
        run(() -> subscribe(channel));
        return channel.new Listening(listener);
    }

    @Override
    public Membership join(String queue, Runnable onChange) {
        Channel channel = channel(queue);
        channel.onChange = onChange;
        run(() -> {
            if (channel.subscribing) {
                publish(channel, Kind.HELLO, self);
            } else {
                subscribe(channel);
            }
        });
        return channel.new Joined(onChange);
    }

    private Channel channel(String queue) {
        return channels.computeIfAbsent(keys.wakeChannel(queue), Channel::new);
    }

    private void subscribe(Channel channel) {
        if (closed || channel.isUnused() || channel.subscribing) {
            return;
        }
        channel.subscribing = true;
        try {
            connect().async().subscribe(channel.name).whenComplete((ignored, error) -> {
                if (error != null) {
                    subscribeLater(channel, error);
                }
            });
        } catch (RuntimeException ex) {
            subscribeLater(channel, ex);
        }
    }

    private void subscribeLater(Channel channel, Throwable error) {
        if (closed) {
            return;
        }
        if (!warned) {
            warned = true;
            log.warn(
                    "Cannot subscribe to {}; new tasks may be late by the back-stop interval until this heals: {}",
                    channel.name,
                    error.toString());
        }
        later(
                () -> {
                    channel.subscribing = false;
                    subscribe(channel);
                },
                RETRY_MILLIS);
    }

    private void later(Runnable action, long millis) {
        try {
            connector.schedule(action, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ex) {
            log.debug("Closed");
        }
    }

    private void run(Runnable action) {
        later(action, 0);
    }

    private long expiryNanos() {
        return HEARTBEATS_TO_MISS * heartbeatNanos + heartbeatNanos / 2;
    }

    private void unsubscribe(Channel channel) {
        if (!channel.isUnused()) {
            return; // listened to again in the meantime
        }
        channel.subscribing = false;
        if (connection != null && connection.isOpen()) {
            connection.async().unsubscribe(channel.name);
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

    private void beat() {
        int failures = 0;
        for (Channel channel : channels.values()) {
            if (!channel.isUnused() && !publish(channel, channel.isJoined() ? Kind.ALIVE : Kind.ECHO, self)) {
                failures++;
                if (failures == MOST_FAILURES) {
                    return; // each may take the time that connecting may take
                }
            }
        }
    }

    private void expire() {
        for (Channel channel : channels.values()) {
            if (channel.members.expire()) {
                channel.changed();
            }
        }
    }

    /** What is thrown must not end it. */
    private static Runnable everAgain(Runnable action) {
        return () -> {
            try {
                action.run();
            } catch (RuntimeException | Error ex) {
                log.error("Looking after the other processes failed and is tried again", ex);
            }
        };
    }

    /** On the connector's thread: the connection may have to be made. Returns false if that failed. */
    private boolean publish(Channel channel, Kind kind, String text) {
        if (closed) {
            return false;
        }
        byte[] message = new Message(kind, text).toString().getBytes(StandardCharsets.UTF_8);
        try (RedisConnection lent = connectionFactory.getConnection()) {
            @SuppressWarnings("unchecked")
            RedisClusterAsyncCommands<byte[], byte[]> commands =
                    (RedisClusterAsyncCommands<byte[], byte[]>) lent.getNativeConnection();
            commands.publish(channel.name.getBytes(StandardCharsets.UTF_8), message);
            return true;
        } catch (RuntimeException ex) {
            log.debug("{} was not told '{}'", channel.name, kind, ex);
            return false;
        }
    }

    private void publishLater(Channel channel, Kind kind, String text) {
        run(() -> publish(channel, kind, text));
    }

    @Override
    public void close() {
        connector.shutdown();
        try {
            // the goodbyes
            connector.awaitTermination(GOODBYE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        closed = true;
        connector.shutdownNow();
        StatefulRedisPubSubConnection<String, String> current = connection;
        if (current != null) {
            current.closeAsync();
        }
    }

    /** The channel of one queue, and who of this process listens to it. */
    private final class Channel {

        private final String name;
        private final Members members = new Members(self, System::nanoTime);
        private boolean subscribing;
        private volatile @Nullable Listener listener;
        private volatile @Nullable Runnable onChange;
        private final Set<Integer> helpWanted = ConcurrentHashMap.newKeySet();
        private final AtomicBoolean helpOnItsWay = new AtomicBoolean();
        private volatile long echoNanos = System.nanoTime() - TimeUnit.DAYS.toNanos(1);
        private volatile long othersNanos = echoNanos;
        private long aliveNanos = echoNanos;

        Channel(String name) {
            this.name = name;
        }

        boolean isUnused() {
            return listener == null && onChange == null;
        }

        boolean isJoined() {
            return onChange != null;
        }

        void changed() {
            Runnable current = onChange;
            if (current != null) {
                current.run();
            }
        }

        void subscribed() {
            wakeAll();
            Listener current = listener;
            if (current != null) {
                current.layoutChanged();
            }
            publishLater(this, isJoined() ? Kind.HELLO : Kind.ECHO, self);
        }

        void wakeAll() {
            Listener current = listener;
            if (current != null) {
                current.wakeAll();
            }
        }

        void received(String text) {
            Listener current = listener;
            try {
                int shard = Integer.parseInt(text);
                if (current != null) {
                    current.wake(shard);
                }
            } catch (NumberFormatException ex) {
                if (text.equals(LAYOUT)) {
                    if (current != null) {
                        current.layoutChanged();
                    }
                    return;
                }
                Message message = Message.parse(text);
                if (message == null) {
                    wakeAll();
                } else {
                    received(message, current);
                }
            }
        }

        private void received(Message message, @Nullable Listener current) {
            switch (message.kind()) {
                case HELLO, ALIVE, ECHO -> {
                    if (message.text().equals(self)) {
                        echoNanos = System.nanoTime();
                        return;
                    }
                    othersNanos = System.nanoTime();
                    if (message.kind() != Kind.ECHO) {
                        heardOf(message);
                    }
                }
                case BYE -> {
                    if (members.gone(message.text())) {
                        changed();
                    }
                }
                case HELP -> {
                    int colon = message.text().indexOf(':');
                    String shard = message.text().substring(0, Math.max(0, colon));
                    if (current != null
                            && SHARD.matcher(shard).matches()
                            && !message.text().endsWith(self)) {
                        current.help(Integer.parseInt(shard));
                    }
                }
            }
        }

        private void heardOf(Message member) {
            if (members.alive(member.text(), expiryNanos())) {
                changed();
            }
            if (member.kind() == Kind.HELLO && isJoined()) {
                later(() -> answerHello(), ANSWER_MILLIS);
            }
        }

        /** One answer does for all who have come: when Redis is back, every process says hello at once. */
        private void answerHello() {
            if (System.nanoTime() - aliveNanos >= TimeUnit.MILLISECONDS.toNanos(ANSWER_MILLIS) && isJoined()) {
                aliveNanos = System.nanoTime();
                publish(this, Kind.ALIVE, self);
            }
        }

        /** One task, however many shards ask while Redis cannot be reached. */
        private void callForHelp(int shard) {
            helpWanted.add(shard);
            if (helpOnItsWay.compareAndSet(false, true)) {
                run(() -> {
                    helpOnItsWay.set(false);
                    Set<Integer> shards = Set.copyOf(helpWanted);
                    helpWanted.removeAll(shards);
                    for (int wanted : shards) {
                        if (!publish(this, Kind.HELP, wanted + ":" + self)) {
                            return;
                        }
                    }
                });
            }
        }

        private void leave() {
            if (isUnused()) {
                run(() -> unsubscribe(this));
            }
        }

        /** One who listens. */
        private final class Listening implements Registration {

            private final Listener registered;

            Listening(Listener registered) {
                this.registered = registered;
            }

            @Override
            public boolean arrive() {
                return System.nanoTime() - echoNanos < HEARTBEATS_TO_MISS * heartbeatNanos;
            }

            @Override
            public void callForHelp(int shard) {
                if (System.nanoTime() - othersNanos < expiryNanos()) {
                    Channel.this.callForHelp(shard);
                }
            }

            @Override
            public void close() {
                if (listener == registered) {
                    listener = null;
                    leave();
                }
            }
        }

        /** One who shares. */
        private final class Joined implements Membership {

            private final Runnable registered;

            Joined(Runnable registered) {
                this.registered = registered;
            }

            @Override
            public boolean owns(int shard) {
                return members.owns(shard);
            }

            @Override
            public void close() {
                if (onChange == registered) {
                    onChange = null;
                    publishLater(Channel.this, Kind.BYE, self);
                    leave();
                }
            }
        }
    }

    private final class Forwarder extends RedisPubSubAdapter<String, String> {

        @Override
        public void message(String name, String message) {
            Channel channel = channels.get(name);
            if (channel != null) {
                channel.received(message);
            }
        }

        @Override
        public void subscribed(String name, long count) {
            warned = false;
            Channel channel = channels.get(name);
            if (channel != null) {
                channel.subscribed();
            }
        }
    }
}
