// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.wake;

import io.delayqueue.internal.redis.wake.LiveMembers.Kind;
import io.delayqueue.internal.redis.wake.LiveMembers.Message;
import io.delayqueue.internal.store.WakeSignals.Listener;
import io.delayqueue.internal.store.WakeSignals.Registration;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The channel of one queue, with its listener in this process and the other processes that use it. If a process does
 * not receive its own heartbeats, it stops announcing itself, so that other processes take over its shards. It gives up
 * its shards only while it knows other processes. If their heartbeats stop, it forgets them after two and a half
 * intervals. It then owns every shard again, because it cannot know whether they still exist. If two processes scan the
 * same shard, each task is still acquired by one of them.
 *
 * <p>No method blocks. Messages arrive on a thread of Lettuce; all other methods are thread-safe.
 */
final class WakeChannel {

    private static final Logger log = LoggerFactory.getLogger(WakeChannel.class);

    /** The message of the script that records a new sharding. */
    private static final String SHARDING = "sharding";

    private static final Pattern SHARD = Pattern.compile("[0-9]{1,6}");
    /** Separates the name of a process from the suffix that distinguishes several contexts in one process. */
    static final String BEHIND_NAME = "#";

    private static final Listener NOBODY = new Listener() {
        @Override
        public void wake(int shard) {}

        @Override
        public void wakeAll() {}
    };

    private static final long ANSWER_MILLIS = 100;
    private static final int HEARTBEATS_TO_MISS = 2;

    private final String name;
    private final String self;
    private final long heartbeatNanos;
    private final RedisWakeSignals signals;
    private final LiveMembers members;
    private final HeartbeatWatch watch;
    private final AtomicBoolean missedSignals = new AtomicBoolean(true);
    /** What completes when the delivery that a request names has ended. */
    private final Map<String, CompletableFuture<Void>> awaited = new ConcurrentHashMap<>();

    private final Set<String> unasked = ConcurrentHashMap.newKeySet();

    private volatile Listener listener = NOBODY;
    private volatile long othersNanos = System.nanoTime() - TimeUnit.DAYS.toNanos(1);
    private long aliveNanos = othersNanos;
    private volatile boolean leavesToOthers;

    /**
     * Creates a channel without listeners.
     *
     * @param self id of this process
     * @param patience maximum time until the process's own heartbeat returns
     */
    WakeChannel(String name, String self, Duration heartbeat, Duration patience, RedisWakeSignals signals) {
        this.name = name;
        this.self = self;
        this.heartbeatNanos = heartbeat.toNanos();
        this.signals = signals;
        this.members = new LiveMembers(self, System::nanoTime);
        this.watch = new HeartbeatWatch(patience.toNanos(), HEARTBEATS_TO_MISS * heartbeatNanos);
    }

    String name() {
        return name;
    }

    Registration listen(Listener newListener) {
        listener = newListener;
        leavesToOthers = false;
        return new Listening(newListener);
    }

    boolean isUnused() {
        return listener == NOBODY && awaited.isEmpty();
    }

    /**
     * Returns a future that completes when a process has ended the delivery. If it ends before this channel was
     * subscribed, the process is asked then.
     *
     * @param request a name of this request, a colon and the id of the task
     */
    CompletableFuture<Void> awaitEnd(String request) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        unasked.add(request);
        awaited.put(request, ended);
        ended.whenComplete((ignored, error) -> {
            awaited.remove(request);
            if (unasked.contains(request)) {
                askToEnd(request);
            }
            leave();
        });
        return ended;
    }

    void askToEnd(String request) {
        unasked.remove(request);
        publish(Kind.END, request);
    }

    /** Announces this process when it joins or may have missed messages. */
    void sayHello() {
        publish(takesPart() ? Kind.HELLO : Kind.LISTENS, self);
    }

    void beat() {
        publish(takesPart() ? Kind.ALIVE : Kind.LISTENS, self);
    }

    private boolean takesPart() {
        return listener != NOBODY && !watch.isLost() && !(leavesToOthers && !members.isAlone());
    }

    /** Forgets silent processes. Returns whether the process's own heartbeat is missing. */
    boolean look() {
        if (members.expire()) {
            listener.wakeAll();
        }
        boolean wasLost = watch.isLost();
        boolean missing = !isUnused() && watch.isMissing(System.nanoTime());
        if (missing && !wasLost) {
            log.warn(
                    "This process does not receive its own heartbeats on {}; resubscribing. Until it does, other "
                            + "processes scan its shards",
                    name);
            if (listener != NOBODY) {
                publish(Kind.BYE, self);
                listener.wakeAll();
            }
        }
        return missing;
    }

    private void publish(Kind kind, String text) {
        long sent = System.nanoTime();
        signals.publish(name, new Message(kind, text).toString()).whenComplete((taken, error) -> {
            if (error != null) {
                log.debug("Could not publish on {}: '{}': {}", name, kind, error.toString());
            } else if (kind.isHeartbeat()) {
                watch.published(sent);
            }
        });
    }

    /** Records that signals may be missed from now on, until the next subscription. */
    void mayMissSignals() {
        missedSignals.set(true);
    }

    void subscribed() {
        if (isUnused() || !missedSignals.getAndSet(false)) {
            return;
        }
        Listener current = listener;
        current.wakeAll();
        current.shardingChanged();
        sayHello();
        awaited.keySet().forEach(this::askToEnd);
    }

    void received(String text) {
        if (SHARD.matcher(text).matches()) {
            listener.wake(Integer.parseInt(text));
        } else if (text.equals(SHARDING)) {
            listener.shardingChanged();
        } else {
            Message message = Message.parse(text);
            if (message != null) {
                received(message);
            } else {
                listener.wakeAll();
            }
        }
    }

    private void received(Message message) {
        switch (message.kind()) {
            case HELLO, ALIVE, LISTENS -> {
                if (message.text().equals(self)) {
                    receivedOwn();
                    return;
                }
                othersNanos = System.nanoTime();
                if (message.kind() != Kind.LISTENS) {
                    heardOf(message);
                }
            }
            case BYE -> {
                if (members.gone(message.text())) {
                    listener.wakeAll();
                }
            }
            case END -> {
                String id = message.text().substring(message.text().indexOf(':') + 1);
                listener.endDelivery(id, () -> publish(Kind.ENDED, message.text()));
            }
            case ENDED -> {
                CompletableFuture<Void> ended = awaited.get(message.text());
                if (ended != null) {
                    signals.later(() -> ended.complete(null), 0);
                }
            }
            case HELP -> {
                int colon = message.text().indexOf(':');
                String shard = message.text().substring(0, Math.max(0, colon));
                if (SHARD.matcher(shard).matches() && !message.text().endsWith(self)) {
                    listener.help(Integer.parseInt(shard));
                }
            }
        }
    }

    private void receivedOwn() {
        if (watch.received(System.nanoTime())) {
            log.info("This process receives its own heartbeats on {} again", name);
            listener.wakeAll();
            sayHello();
        }
    }

    private void heardOf(Message member) {
        if (members.alive(member.text(), expiryNanos())) {
            listener.wakeAll();
        }
        if (member.kind() == Kind.HELLO && takesPart()) {
            signals.later(this::answerHello, ANSWER_MILLIS);
        }
    }

    /**
     * Replies once for all newcomers, because after an outage of Redis all processes announce themselves at the same
     * time.
     */
    private void answerHello() {
        if (System.nanoTime() - aliveNanos >= TimeUnit.MILLISECONDS.toNanos(ANSWER_MILLIS) && takesPart()) {
            aliveNanos = System.nanoTime();
            publish(Kind.ALIVE, self);
        }
    }

    private long expiryNanos() {
        return HEARTBEATS_TO_MISS * heartbeatNanos + heartbeatNanos / 2;
    }

    private void leave() {
        if (isUnused()) {
            signals.unsubscribe(this);
        }
    }

    private final class Listening implements Registration {

        private final Listener registered;

        Listening(Listener registered) {
            this.registered = registered;
        }

        @Override
        public boolean arrive() {
            return watch.arrives(System.nanoTime());
        }

        @Override
        public void callForHelp(int shard) {
            if (System.nanoTime() - othersNanos < expiryNanos()) {
                publish(Kind.HELP, shard + ":" + self);
            }
        }

        /**
         * Returns whether this process owns the shard. While its own heartbeats do not return, it leaves its shards to
         * the other processes, until it has forgotten them.
         */
        @Override
        public boolean owns(int shard) {
            return watch.isLost() || leavesToOthers ? members.isAlone() : members.owns(shard);
        }

        /**
         * Returns how many processes precede this one as owner of the shard. While this process leaves its shards to
         * others, it does not stand in for other owners either.
         */
        @Override
        public int place(int shard) {
            return owns(shard) ? 0 : watch.isLost() || leavesToOthers ? NEVER : members.place(shard);
        }

        @Override
        public void leaveToOthers(boolean leave) {
            leavesToOthers = leave;
            if (leave && !members.isAlone()) {
                publish(Kind.BYE, self);
            } else {
                sayHello();
            }
            listener.wakeAll();
        }

        @Override
        public void close() {
            if (listener == registered) {
                listener = NOBODY;
                publish(Kind.BYE, self);
                leave();
            }
        }
    }
}
