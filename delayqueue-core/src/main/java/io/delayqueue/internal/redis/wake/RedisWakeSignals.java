// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.wake;

import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisErrors;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.store.WakeSignals;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wake signals and heartbeats over Redis publish/subscribe, on a separate connection. A failed subscription is retried
 * until it succeeds. After each subscription or resubscription, the pollers scan all their shards, because signals may
 * have been lost.
 *
 * <p>Each process publishes heartbeats on its channels. The heartbeats of other processes show which processes share
 * the queue. A process also receives its own heartbeats, which shows that the channel works. If Redis accepts a
 * heartbeat but it does not return, the process leaves its shards to other processes and opens a new connection.
 * Nothing is stored. If heartbeats are lost, for example because the Redis user may not publish, every process owns
 * every shard.
 */
public final class RedisWakeSignals implements WakeSignals, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RedisWakeSignals.class);
    private static final long RETRY_MILLIS = 1000;

    /** Number of consecutive subscriptions that may fail, although calls can be sent, before a warning is logged. */
    private static final int UNEXPLAINED = 5;
    /**
     * Number of turns over which heartbeats are spread. Half a turn after its heartbeats, a missing one is noticed, so a
     * hanging connection is detected within half an interval.
     */
    private static final int TURNS = 3;

    /** Maximum time until a heartbeat returns, as a part of the interval; less than half a turn. */
    private static final int PATIENCE = 8;

    private static final Duration LEAST_PATIENCE = Duration.ofSeconds(1);

    private final RedisKeys keys;
    private final Duration heartbeat;
    private final Duration patience;
    private final Scheduler scheduler;
    private final Scheduler.Scheduled turns;
    private final String self = ProcessName.OWN
            + WakeChannel.BEHIND_NAME
            + UUID.randomUUID().toString().substring(0, 8);
    private final Map<String, WakeChannel> channels = new ConcurrentHashMap<>();
    private final RedisConnections connections;
    private final WakeConnection connection;
    private final Set<WakeChannel> subscribed = ConcurrentHashMap.newKeySet();

    private int turn;
    private volatile boolean warned;
    private int unexplained; // Attempts that failed although calls could be sent.
    private volatile boolean closed;

    /**
     * @param heartbeat interval of heartbeats; two missing heartbeats end a membership
     * @param scheduler runs the turns, which do not block
     */
    public RedisWakeSignals(RedisConnections connections, RedisKeys keys, Duration heartbeat, Scheduler scheduler) {
        this.connections = connections;
        this.keys = keys;
        this.heartbeat = heartbeat;
        this.scheduler = scheduler;
        Duration pause = heartbeat.dividedBy(TURNS);
        Duration eighth = heartbeat.dividedBy(PATIENCE);
        this.patience = eighth.compareTo(LEAST_PATIENCE) > 0 ? eighth : LEAST_PATIENCE;
        this.connection = new WakeConnection(connections, this);
        this.turns = scheduler.every(pause, pause, this::beat);
    }

    @Override
    public Registration listen(String queue, Listener listener) {
        WakeChannel channel = channel(queue);
        Registration registration = channel.listen(listener);
        if (!subscribe(channel)) {
            channel.sayHello();
        }
        return registration;
    }

    @Override
    public CompletableFuture<Void> askToEnd(String queue, String id) {
        WakeChannel channel = channel(queue);
        String request = UUID.randomUUID() + ":" + id;
        CompletableFuture<Void> ended = channel.awaitEnd(request);
        if (!subscribe(channel)) {
            channel.askToEnd(request);
        }
        return ended;
    }

    private WakeChannel channel(String queue) {
        return channels.computeIfAbsent(
                keys.wakeChannel(queue), name -> new WakeChannel(name, self, heartbeat, patience, this));
    }

    /** Returns {@code false} if the channel is already subscribed or being subscribed. */
    private synchronized boolean subscribe(WakeChannel channel) {
        if (closed || channel.isUnused() || !subscribed.add(channel)) {
            return false;
        }
        connection.subscribe(channel.name()).whenComplete((ignored, error) -> {
            if (error != null) {
                notSubscribed(channel, error);
            }
        });
        return true;
    }

    private synchronized void notSubscribed(WakeChannel channel, Throwable error) {
        if (closed || !subscribed.remove(channel)) {
            return;
        }
        unexplained = connections.isUnreachable() ? 0 : unexplained + 1;
        if (!warned && (!RedisErrors.isNotSent(Causes.of(error)) || unexplained >= UNEXPLAINED)) {
            warned = true;
            log.warn(
                    "Could not subscribe to {}; until this recovers, new tasks may be late by up to the longest idle "
                            + "interval: {}",
                    channel.name(),
                    error.toString());
        }
        channel.mayMissSignals();
        later(() -> subscribe(channel), RETRY_MILLIS);
    }

    /** Ends the subscription of an unused channel. */
    synchronized void unsubscribe(WakeChannel channel) {
        if (channel.isUnused() && subscribed.remove(channel)) {
            channel.mayMissSignals();
            connection.unsubscribe(channel.name());
        }
    }

    /** Publishes some of the heartbeats, and looks for missing ones half a turn later. */
    private void beat() {
        List<WakeChannel> used = channels.values().stream()
                .filter(channel -> !channel.isUnused())
                .toList();
        for (int i = 0; i < used.size(); i++) {
            if (i % TURNS == turn % Math.min(TURNS, used.size())) {
                used.get(i).beat();
            }
        }
        turn = (turn + 1) % TURNS;
        later(this::look, heartbeat.dividedBy(2 * TURNS).toMillis());
    }

    /** Replaces the connection if a heartbeat is missing. */
    private void look() {
        if (closed) {
            return;
        }
        boolean missing = false;
        for (WakeChannel channel : channels.values()) {
            missing |= channel.look() && subscribed.contains(channel);
        }
        if (missing) {
            reconnect();
        }
    }

    private synchronized void reconnect() {
        connection.replace();
        List<WakeChannel> again = List.copyOf(subscribed);
        subscribed.clear();
        for (WakeChannel channel : again) {
            channel.mayMissSignals();
            subscribe(channel);
        }
    }

    @Override
    public void close() {
        closed = true;
        turns.cancel();
        connection.close();
    }

    void later(Runnable action, long millis) {
        try {
            scheduler.after(Duration.ofMillis(millis), action);
        } catch (RejectedExecutionException ex) {
            log.debug("Closed");
        }
    }

    /** Publishes a message. Completes when Redis has accepted it. */
    CompletionStage<?> publish(String channel, String message) {
        return connection.publish(channel, message);
    }

    void received(String name, String text) {
        WakeChannel channel = channels.get(name);
        if (channel != null) {
            Guard.run(log, "Could not process a message of another process", () -> channel.received(text));
        }
    }

    /**
     * Called when the server has confirmed a subscription that this class requested, or that Lettuce requested after a
     * reconnect.
     */
    void subscribed(String name) {
        warned = false;
        WakeChannel channel = channels.get(name);
        if (channel != null) {
            Guard.run(log, "A step after a subscription failed", channel::subscribed);
        }
    }

    /** Called when the connection has broken. Lettuce reconnects and resubscribes. */
    void disconnected() {
        channels.values().forEach(WakeChannel::mayMissSignals);
    }
}
