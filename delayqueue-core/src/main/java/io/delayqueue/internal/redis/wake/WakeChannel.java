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
 * The channel of one queue: what is said on it, who of this process listens, and who of the other processes is there. A
 * process that does not hear itself does not say that it takes part, so that the others take over its shards. It leaves
 * them its shards for as long as it knows of others. As it hears no heartbeats it has forgotten them after two and a
 * half, and then owns every shard again: it cannot tell whether they are still there, and tasks that two processes look
 * for are delivered as they are by one.
 *
 * <p>What publishes runs on the sender's thread, what is heard on one of the driver; the rest comes from any thread.
 */
final class WakeChannel {

    private static final Logger log = LoggerFactory.getLogger(WakeChannel.class);

    /** What the script says that records another layout. */
    private static final String LAYOUT = "layout";

    private static final Pattern SHARD = Pattern.compile("[0-9]{1,6}");
    private static final long ANSWER_MILLIS = 100;
    private static final int HEARTBEATS_TO_MISS = 2;

    private final String name;
    private final String self;
    private final long heartbeatNanos;
    private final Sender sender;
    private final LiveMembers members;
    private final Echo echo;
    private final Observation observation = new Observation();
    private final AtomicBoolean missedSignals = new AtomicBoolean(true);
    private volatile @Nullable Listener listener;
    private volatile @Nullable Runnable onChange;
    private volatile long othersNanos = System.nanoTime() - TimeUnit.DAYS.toNanos(1);
    private long aliveNanos = othersNanos;

    /**
     * A channel that nobody listens to.
     *
     * @param self the id of this process
     * @param echoPatience after so long one's own heartbeat is missing
     */
    WakeChannel(String name, String self, Duration heartbeat, Duration echoPatience, Sender sender) {
        this.name = name;
        this.self = self;
        this.heartbeatNanos = heartbeat.toNanos();
        this.sender = sender;
        this.members = new LiveMembers(self, System::nanoTime);
        this.echo = new Echo(echoPatience.toNanos(), HEARTBEATS_TO_MISS * heartbeatNanos);
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
        return listener == null && onChange == null && !observation.isOn();
    }

    /** Says that this process has come: one that joins, or that may have missed what others said. */
    void sayHello() {
        boolean asks = takesPart() || observation.isOn();
        publish(takesPart() ? Kind.HELLO : asks ? Kind.WHO : Kind.ECHO, self);
        if (asks) {
            observation.asked();
        }
    }

    /**
     * Which process owns which shard. Listens from now on, and for a while after the last such call.
     *
     * @return completes when the others have had time to say that they are there
     */
    CompletableFuture<List<ShardOwnership.Owner>> owners(int shards) {
        observation.begin();
        CompletableFuture<List<ShardOwnership.Owner>> answer = new CompletableFuture<>();
        sender.later(() -> answerOwners(answer, shards, observation.latestAnswer()), 0);
        return answer;
    }

    private void answerOwners(CompletableFuture<List<ShardOwnership.Owner>> answer, int shards, long latest) {
        if (observation.isInformed() || System.nanoTime() - latest > 0) {
            answer.complete(observation.owners(shards, this::ownerOf));
        } else {
            sender.later(() -> answerOwners(answer, shards, latest), Observation.LOOK_MILLIS);
        }
    }

    private @Nullable String ownerOf(int shard) {
        return members.ownerOf(shard, takesPart());
    }

    boolean isInformed() {
        return observation.isInformed();
    }

    void beat() {
        publish(takesPart() ? Kind.ALIVE : Kind.ECHO, self);
    }

    private boolean takesPart() {
        return onChange != null && !echo.isDeaf();
    }

    /** Forgets others that are silent, and returns whether this process does not hear itself, though it should. */
    boolean look() {
        if (observation.endIfUnasked()) {
            leave();
        }
        if (members.expire()) {
            changed();
        }
        boolean wasDeaf = echo.isDeaf();
        boolean missing = echo.isMissing(System.nanoTime());
        if (missing && !wasDeaf) {
            log.warn(
                    "This process does not hear its own heartbeats on {}; it subscribes anew, and leaves its shards to others until"
                            + " it does",
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
                log.debug("{} was not told '{}': {}", name, kind, error.toString());
            } else if (kind != Kind.BYE && kind != Kind.HELP) {
                echo.taken(sent);
            }
        });
    }

    private void changed() {
        observation.update(this::ownerOf);
        Runnable current = onChange;
        if (current != null) {
            current.run();
        }
    }

    /** Signals may be missed from now on, until the next subscription. */
    void mayMissSignals() {
        missedSignals.set(true);
        observation.mayMissAnswers();
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
        sender.later(this::sayHello, 0);
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
            case HELLO, ALIVE, ECHO, WHO -> {
                if (message.text().equals(self)) {
                    heardSelf();
                    return;
                }
                if (message.kind() == Kind.WHO) {
                    answerSoon();
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

    private void heardSelf() {
        if (echo.heard(System.nanoTime())) {
            log.info("This process hears its own heartbeats on {} again", name);
            changed();
            sender.later(this::sayHello, 0);
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

    /** One answer does for all who have come: when Redis is back, every process says hello at once. */
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

    /** How a channel speaks. */
    interface Sender {

        /** Runs an action on the sender's thread. */
        void later(Runnable action, long millis);

        /** Publishes. Does not block. Completes when Redis has taken the message. */
        CompletionStage<?> publish(String channel, String message);

        /** Nobody listens to the channel any more. */
        void left(WakeChannel channel);
    }

    /** One who listens. */
    private final class Listening implements Registration {

        private final Listener registered;

        Listening(Listener registered) {
            this.registered = registered;
        }

        @Override
        public boolean arrive() {
            return echo.arrives(System.nanoTime());
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

    /** One who shares. */
    private final class Joined implements Membership {

        private final Runnable registered;

        Joined(Runnable registered) {
            this.registered = registered;
        }

        /** A process that is deaf leaves its shards to the others that it knows of, until it has forgotten them. */
        @Override
        public boolean owns(int shard) {
            return echo.isDeaf() ? members.isAlone() : members.owns(shard);
        }

        @Override
        public void close() {
            if (onChange == registered) {
                onChange = null;
                sender.later(() -> publish(Kind.BYE, self), 0);
                leave();
            }
        }
    }
}
