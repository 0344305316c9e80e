// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.DoublingBackOff;
import io.delayqueue.internal.concurrent.Guard;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.BackOffExecution;

/**
 * Watches whether one server of the store answers. A server is silent if a call has waited for {@link #PATIENCE} and
 * no reply has come for as long, or if a call has failed and no reply has come since it was sent. A silent server gets
 * one call at a time, the probe, with growing pauses. The first reply ends this state. Thread-safe.
 */
final class ServerWatch {

    private static final Logger log = LoggerFactory.getLogger(ServerWatch.class);

    /** The usual maximum time of a reply. */
    static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(200);

    private static final BackOff BACK_OFF = DoublingBackOff.between(Duration.ofMillis(50), Duration.ofSeconds(1));

    private final Set<Call> unanswered = new LinkedHashSet<>();
    private final Set<Runnable> waiting = new LinkedHashSet<>();
    private BackOffExecution pauses = BACK_OFF.start();
    private @Nullable Call probe;
    private long lastAnswer;
    private long mayProbeAt;
    private boolean away;
    private volatile long lastUse;

    ServerWatch(long now) {
        // The first call to fail may have been made slightly before this watch was created.
        this.lastAnswer = now - PATIENCE;
        this.mayProbeAt = now;
        this.lastUse = now;
    }

    /** Starts a call that is made even if the server is silent. */
    synchronized Call begin(long now) {
        return add(new Call(now, false));
    }

    /**
     * Requests a call.
     *
     * @param onAnswer run once when a silent server answers again
     * @return the call; null if the server is silent and must not be called now
     */
    synchronized @Nullable Call ask(long now, Runnable onAnswer) {
        if (!isSilent(now)) {
            return add(new Call(now, false));
        }
        waiting.add(onAnswer);
        if (probe != null || mayProbeAt - now > 0) {
            return null;
        }
        Call next = add(new Call(now, true));
        probe = next;
        return next;
    }

    private Call add(Call call) {
        unanswered.add(call);
        return call;
    }

    synchronized boolean isSilent(long now) {
        return away || (!unanswered.isEmpty() && silentAt() - now <= 0);
    }

    /**
     * Returns the time when the server will count as silent unless it replies; far in the future if no call awaits a
     * reply or the server is already silent.
     */
    synchronized long silentAt(long now) {
        return (isSilent(now) || unanswered.isEmpty()) ? now + TimeUnit.DAYS.toNanos(1) : silentAt();
    }

    private long silentAt() {
        Iterator<Call> oldestFirst = unanswered.iterator();
        long since = oldestFirst.next().sentAt;
        return (since - lastAnswer > 0 ? since : lastAnswer) + PATIENCE;
    }

    /** Removes a call, so that another call may be the probe. Returns {@code false} if it has already ended. */
    private synchronized boolean remove(Call call) {
        if (!unanswered.remove(call)) {
            return false;
        }
        if (call == probe) {
            probe = null;
        }
        return true;
    }

    /**
     * Registers an action for the next reply. Returns {@code false} if the action must run now, because a reply has
     * arrived since the call ended.
     */
    private synchronized boolean waits(Call call, Runnable onAnswer) {
        if (away) {
            waiting.add(onAnswer);
        }
        return away || !call.awayAtEnd;
    }

    synchronized void forget(Runnable onAnswer) {
        waiting.remove(onAnswer);
    }

    /**
     * Returns whether this watch has been unused for the given time, for example because the server no longer has
     * shards.
     */
    boolean isUnused(long now, long nanos) {
        return now - lastUse >= nanos;
    }

    /** Records a use. Returns this. */
    ServerWatch used(long now) {
        lastUse = now;
        return this;
    }

    /** A call in progress. Exactly one method call must end it. */
    final class Call {

        private final long begin;
        private final boolean isProbe;
        /** Guarded by the watch. */
        private long sentAt;
        /** Guarded by the watch. */
        private boolean awayAtEnd;

        private Call(long begin, boolean isProbe) {
            this.begin = begin;
            this.sentAt = begin;
            this.isProbe = isProbe;
        }

        boolean isProbe() {
            return isProbe;
        }

        /** Returns the time when callers should stop waiting for this call. */
        long overdueAt() {
            return isProbe ? begin : begin + PATIENCE;
        }

        /**
         * Runs an action once when the server answers again after this call failed, or now if it already has. Does not
         * run it if the server was not silent.
         */
        void onNextAnswer(Runnable action) {
            if (!waits(this, action)) {
                action.run();
            }
        }

        /**
         * Records that the call is sent to this server now, after a step on another server. Undoes {@link
         * #inconclusive}.
         */
        void sent(long now) {
            synchronized (ServerWatch.this) {
                sentAt = now;
                unanswered.add(this);
                if (isProbe && probe == null) {
                    probe = this;
                }
            }
        }

        /** Ends the call because the server has answered, even with an error. */
        void answered(long now) {
            List<Runnable> toRun;
            synchronized (ServerWatch.this) {
                if (!remove(this)) {
                    return;
                }
                lastAnswer = now;
                away = false;
                pauses = BACK_OFF.start();
                toRun = List.copyOf(waiting);
                waiting.clear();
            }
            toRun.forEach(action -> Guard.run(log, "A step after a server's recovery failed", action));
        }

        /** Ends the call because no reply arrived in time. */
        void failed(long now) {
            synchronized (ServerWatch.this) {
                if (remove(this)) {
                    if (lastAnswer - sentAt <= 0) {
                        away = true;
                        mayProbeAt = now + TimeUnit.MILLISECONDS.toNanos(pauses.nextBackOff());
                    }
                    awayAtEnd = away;
                }
            }
        }

        /** Ends the call because it failed in this process. The state of the server stays unknown. */
        void inconclusive() {
            synchronized (ServerWatch.this) {
                if (remove(this)) {
                    awayAtEnd = away;
                }
            }
        }
    }
}
