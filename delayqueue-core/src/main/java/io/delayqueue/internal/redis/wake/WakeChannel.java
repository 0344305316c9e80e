// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.wake;

import io.delayqueue.internal.redis.wake.LiveMembers.Kind;
import io.delayqueue.internal.redis.wake.LiveMembers.Message;
import io.delayqueue.internal.store.ShardOwnership;
import io.delayqueue.internal.store.ShardOwnership.Membership;
import io.delayqueue.internal.store.WakeSignals.Listener;
import io.delayqueue.internal.store.WakeSignals.Registration;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The channel of one queue: its messages, its listener in this process, and the other processes that take part. A process
 * that does not receive its own heartbeats does not announce itself, so that the others take over its shards. It leaves
 * them its shards for as long as it knows of others. As it receives no heartbeats it has forgotten them after two and a
 * half, and then owns every shard again: it cannot tell whether they are still there, and tasks that two processes look
 * for are delivered once all the same.
 *
 * <p>Nothing here blocks. Messages arrive on a thread of Lettuce; the rest is called by any thread.
 */
final class WakeChannel {

    private static final Logger log = LoggerFactory.getLogger(WakeChannel.class);

    /** The message of the script that records another layout. */
    private static final String LAYOUT = "layout";

    private static final Pattern SHARD = Pattern.compile("[0-9]{1,6}");
    private static final long ANSWER_MILLIS = 100;
    private static final int HEARTBEATS_TO_MISS = 2;

    private final String name;
    private final String self;
    private final long heartbeatNanos;
    private final Sender sender;
    private final LiveMembers members;
    private final HeartbeatWatch watch;
    private final OwnersView ownersView = new OwnersView();
    private final AtomicBoolean missedSignals = new AtomicBoolean(true);
    private volatile @Nullable Listener listener;
    private volatile @Nullable Runnable onChange;
    private volatile long othersNanos = System.nanoTime() - TimeUnit.DAYS.toNanos(1);
    private long aliveNanos = othersNanos;

    /**
     * A channel without listeners.
     *
     * @param self the id of this process
     * @param patience the longest that the process's own heartbeat takes to come back
     */
    WakeChannel(String name, String self, Duration heartbeat, Duration patience, Sender sender) {
        this.name = name;
        this.self = self;
        this.heartbeatNanos = heartbeat.toNanos();
        this.sender = sender;
        this.members = new LiveMembers(self, System::nanoTime);
        this.watch = new HeartbeatWatch(patience.toNanos(), HEARTBEATS_TO_MISS * heartbeatNanos);
    }

    String name() {
        return name;
    }

    Registration listen(Listener newListener) {
        listener = newListener;
        return new Listening(newListener);
    }

    Membership join(Runnable newOnChange) {
        onChange = newOnChange;
        return new Joined(newOnChange);
    }

    boolean isUnused() {
        return listener == null && onChange == null && !ownersView.isOn();
    }

    /** Announces this process when it joins, or when it may have missed messages. */
    void sayHello() {
        boolean asks = takesPart() || ownersView.isOn();
        publish(takesPart() ? Kind.HELLO : asks ? Kind.WHO : Kind.LISTENS, self);
        if (asks) {
            ownersView.asked();
        }
    }

    /**
     * Which process owns which shard. Listens from now on, and for a while after the last such call.
     *
     * @return completes when the others have had time to say that they are there
     */
    CompletableFuture<List<ShardOwnership.Owner>> owners(int shards) {
        ownersView.begin();
        CompletableFuture<List<ShardOwnership.Owner>> answer = new CompletableFuture<>();
        answerOwners(answer, shards, ownersView.latestAnswer());
        return answer;
    }

    private void answerOwners(CompletableFuture<List<ShardOwnership.Owner>> answer, int shards, long latest) {
        if (ownersView.isInformed() || System.nanoTime() - latest > 0) {
            answer.complete(ownersView.owners(shards, this::ownerOf));
        } else {
            sender.later(() -> answerOwners(answer, shards, latest), OwnersView.LOOK_MILLIS);
        }
    }

    private @Nullable String ownerOf(int shard) {
        return members.ownerOf(shard, takesPart());
    }

    boolean isInformed() {
        return ownersView.isInformed();
    }

    void beat() {
        publish(takesPart() ? Kind.ALIVE : Kind.LISTENS, self);
    }

    private boolean takesPart() {
        return onChange != null && !watch.isLost();
    }

    /** Forgets others that are silent. Returns whether the process's own heartbeat is missing. */
    boolean look() {
        if (ownersView.endIfUnasked()) {
            leave();
        }
        if (members.expire()) {
            changed();
        }
        boolean wasLost = watch.isLost();
        boolean missing = watch.isMissing(System.nanoTime());
        if (missing && !wasLost) {
            log.warn(
                    "The own heartbeats of this process do not come back on {}; it subscribes again, and leaves its shards to"
                            + " other processes until they do",
                    name);
            if (onChange != null) {
                publish(Kind.BYE, self);
                changed();
            }
        }
        return missing;
    }

    private void publish(Kind kind, String text) {
        long sent = System.nanoTime();
        sender.publish(name, new Message(kind, text).toString()).whenComplete((taken, error) -> {
            if (error != null) {
                log.debug("Not published on {}: '{}': {}", name, kind, error.toString());
            } else if (kind != Kind.BYE && kind != Kind.HELP) {
                watch.published(sent);
            }
        });
    }

    private void changed() {
        ownersView.update(this::ownerOf);
        Runnable current = onChange;
        if (current != null) {
            current.run();
        }
    }

    /** Signals may be missed from now on, until the next subscription. */
    void mayMissSignals() {
        missedSignals.set(true);
        ownersView.mayMissAnswers();
    }

    /** The server has confirmed the subscription. */
    void subscribed() {
        if (!missedSignals.getAndSet(false)) {
            return;
        }
        Listener current = listener;
        if (current != null) {
            current.wakeAll();
            current.layoutChanged();
        }
        sayHello();
    }

    void received(String text) {
        Listener current = listener;
        if (SHARD.matcher(text).matches()) {
            if (current != null) {
                current.wake(Integer.parseInt(text));
            }
        } else if (text.equals(LAYOUT)) {
            if (current != null) {
                current.layoutChanged();
            }
        } else {
            Message message = Message.parse(text);
            if (message != null) {
                received(message, current);
            } else if (current != null) {
                current.wakeAll();
            }
        }
    }

    private void received(Message message, @Nullable Listener current) {
        switch (message.kind()) {
            case HELLO, ALIVE, LISTENS, WHO -> {
                if (message.text().equals(self)) {
                    receivedOwn();
                    return;
                }
                if (message.kind() == Kind.WHO) {
                    answerSoon();
                    return;
                }
                othersNanos = System.nanoTime();
                if (message.kind() != Kind.LISTENS) {
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

    private void receivedOwn() {
        if (watch.received(System.nanoTime())) {
            log.info("The own heartbeats of this process come back on {} again", name);
            changed();
            sayHello();
        }
    }

    private void heardOf(Message member) {
        if (members.alive(member.text(), expiryNanos())) {
            changed();
        }
        if (member.kind() == Kind.HELLO) {
            answerSoon();
        }
    }

    private void answerSoon() {
        if (takesPart()) {
            sender.later(this::answerHello, ANSWER_MILLIS);
        }
    }

    /** One answer serves all newcomers: when Redis is back, every process announces itself at once. */
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
            sender.left(this);
        }
    }

    /** Publishes for a channel. */
    interface Sender {

        void later(Runnable action, long millis);

        /** Publishes. Does not block. Completes when Redis has taken the message. */
        CompletionStage<?> publish(String channel, String message);

        /** Nobody listens to the channel any more. */
        void left(WakeChannel channel);
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

        @Override
        public void close() {
            if (listener == registered) {
                listener = null;
                leave();
            }
        }
    }

    private final class Joined implements Membership {

        private final Runnable registered;

        Joined(Runnable registered) {
            this.registered = registered;
        }

        /** Without its own heartbeats a process leaves its shards to the others, until it has forgotten them. */
        @Override
        public boolean owns(int shard) {
            return watch.isLost() ? members.isAlone() : members.owns(shard);
        }

        @Override
        public void close() {
            if (onChange == registered) {
                onChange = null;
                publish(Kind.BYE, self);
                leave();
            }
        }
    }
}
