// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.wake;

import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.concurrent.SteadyThread;
import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.store.ShardOwnership;
import io.delayqueue.internal.store.WakeSignals;
import io.lettuce.core.RedisCommandTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wake signals and heartbeats by Redis publish/subscribe, on one connection of their own. Connecting and subscribing
 * are tried again until they succeed; after every (re)subscription each poller looks at all its shards, for signals may
 * have been lost.
 *
 * <p>Each process publishes a heartbeat on the channels that it listens to. From those of the others it knows who
 * shares the queue; its own, coming back, tells it that the channel works. Where one does not come back, though Redis
 * took it, the process is deaf: it opens another connection, and says that it leaves until it hears itself. Every fifth
 * of a heartbeat it also subscribes once more to one of its channels, which shows that the server still answers on that
 * connection. Nothing is stored: where heartbeats are lost, as when the Redis user may not publish, every process owns
 * every shard.
 */
public final class RedisWakeSignals implements WakeSignals, ShardOwnership, AutoCloseable {

    /** How often a process gives a sign of life on each of its queues. */
    public static final Duration DEFAULT_HEARTBEAT = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(RedisWakeSignals.class);
    private static final long RETRY_MILLIS = 1000;
    private static final Duration GOODBYE = Duration.ofMillis(500);
    private static final int LOOKS = 5;
    private static final Duration LEAST_ECHO_PATIENCE = Duration.ofSeconds(1);

    private final RedisKeys keys;
    private final Duration heartbeat;
    private final Duration echoPatience;
    private final String self = ProcessName.OWN
            + Observation.BEHIND_NAME
            + UUID.randomUUID().toString().substring(0, 8);
    private final Map<String, WakeChannel> channels = new ConcurrentHashMap<>();
    private final WakeConnection connection;
    private final SteadyThread connector = new SteadyThread("delayqueue-wake-");
    /** Those that are subscribed to, or about to be. Only the connector's thread touches them. */
    private final List<WakeChannel> subscribed = new ArrayList<>();

    private final WakeChannel.Sender sender = new ConnectorsThread();
    private int replacements;
    private int nextProbe;
    private volatile boolean warned;
    private volatile boolean closed;

    public RedisWakeSignals(RedisConnections connections, RedisKeys keys) {
        this(connections, keys, DEFAULT_HEARTBEAT);
    }

    /**
     * @param heartbeat how often to give a sign of life; two that are missing end a membership
     */
    public RedisWakeSignals(RedisConnections connections, RedisKeys keys, Duration heartbeat) {
        this.keys = keys;
        this.heartbeat = heartbeat;
        Duration look = heartbeat.dividedBy(LOOKS);
        this.echoPatience = look.compareTo(LEAST_ECHO_PATIENCE) > 0 ? look : LEAST_ECHO_PATIENCE;
        this.connection = new WakeConnection(connections, new Heard());
        connector.every(heartbeat, this::beat);
        connector.every(heartbeat, look, this::look);
    }

    @Override
    public Registration listen(String queue, Listener listener) {
        WakeChannel channel = channel(queue);
        Registration registration = channel.listen(listener);
        sender.later(() -> subscribe(channel), 0);
        return registration;
    }

    @Override
    public Membership join(String queue, Runnable onChange) {
        WakeChannel channel = channel(queue);
        Membership membership = channel.join(onChange);
        sender.later(
                () -> {
                    if (subscribed.contains(channel)) {
                        channel.sayHello();
                    } else {
                        subscribe(channel);
                    }
                },
                0);
        return membership;
    }

    @Override
    public CompletableFuture<List<Owner>> owners(String queue, int shards) {
        WakeChannel channel = channel(queue);
        CompletableFuture<List<Owner>> owners = channel.owners(shards);
        sender.later(
                () -> {
                    if (!subscribed.contains(channel)) {
                        subscribe(channel);
                    } else if (!channel.isInformed()) {
                        channel.sayHello();
                    }
                },
                0);
        return owners;
    }

    private WakeChannel channel(String queue) {
        return channels.computeIfAbsent(
                keys.wakeChannel(queue), name -> new WakeChannel(name, self, heartbeat, echoPatience, sender));
    }

    private void subscribe(WakeChannel channel) {
        if (!closed && !channel.isUnused() && !subscribed.contains(channel)) {
            subscribed.add(channel);
            send(channel);
        }
    }

    private void send(WakeChannel channel) {
        int on = replacements;
        connection.subscribe(channel.name()).whenComplete((ignored, error) -> {
            if (error != null) {
                sender.later(() -> notSubscribed(channel, error, on), 0);
            }
        });
    }

    /** A connection on which no answer comes is replaced, unless it has been by now. */
    private void notSubscribed(WakeChannel channel, Throwable error, int on) {
        if (closed || on != replacements || !subscribed.contains(channel)) {
            return;
        }
        if (!warned) {
            warned = true;
            log.warn(
                    "Cannot subscribe to {}; new tasks may be late by the longest idle interval until this heals: {}",
                    channel.name(),
                    error.toString());
        }
        if (error instanceof RedisCommandTimeoutException) {
            reconnect();
            return;
        }
        subscribed.remove(channel);
        channel.mayMissSignals();
        sender.later(() -> subscribe(channel), RETRY_MILLIS);
    }

    private void reconnect() {
        replacements++;
        connection.replace();
        List<WakeChannel> again = List.copyOf(subscribed);
        subscribed.clear();
        for (WakeChannel channel : again) {
            channel.mayMissSignals();
            subscribe(channel);
        }
    }

    private void beat() {
        channels.values().stream().filter(channel -> !channel.isUnused()).forEach(WakeChannel::beat);
    }

    /** A subscription that the server refuses is asked for again without another connection. */
    private void look() {
        boolean deaf = false;
        for (WakeChannel channel : channels.values()) {
            deaf |= channel.look() && subscribed.contains(channel);
        }
        if (deaf) {
            reconnect();
        } else if (!subscribed.isEmpty()) {
            nextProbe = (nextProbe + 1) % subscribed.size();
            send(subscribed.get(nextProbe));
        }
    }

    @Override
    public void close() {
        connector.finish();
        try {
            // the goodbyes
            connector.awaitEnd(GOODBYE);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        closed = true;
        connector.close();
        connection.close();
    }

    private final class ConnectorsThread implements WakeChannel.Sender {

        @Override
        public void later(Runnable action, long millis) {
            try {
                connector.after(Duration.ofMillis(millis), action);
            } catch (RejectedExecutionException ex) {
                log.debug("Closed");
            }
        }

        @Override
        public CompletionStage<?> publish(String channel, String message) {
            return connection.publish(channel, message);
        }

        @Override
        public void left(WakeChannel channel) {
            later(
                    () -> {
                        if (channel.isUnused() && subscribed.remove(channel)) {
                            channel.mayMissSignals();
                            connection.unsubscribe(channel.name());
                        }
                    },
                    0);
        }
    }

    private final class Heard implements WakeConnection.Events {

        @Override
        public void message(String name, String text) {
            WakeChannel channel = channels.get(name);
            if (channel != null) {
                Seam.run(log, "A message of another process was not heeded", () -> channel.received(text));
            }
        }

        @Override
        public void subscribed(String name) {
            warned = false;
            WakeChannel channel = channels.get(name);
            if (channel != null) {
                Seam.run(log, "What follows a subscription failed", channel::subscribed);
            }
        }

        @Override
        public void disconnected() {
            channels.values().forEach(WakeChannel::mayMissSignals);
        }
    }
}
