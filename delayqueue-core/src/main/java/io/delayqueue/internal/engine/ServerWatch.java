// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.DoublingBackOff;
import io.delayqueue.internal.concurrent.Guard;
import java.time.Duration;
import java.util.ArrayList;
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
 * Watches whether one server of the store answers. A server is silent when a call has waited for {@link #PATIENCE} and no
 * answer has arrived since, or when a call has failed and none has been answered since. A silent server is asked by one call
 * at a time, the probe, with growing pauses; the first answer ends that. Safe for use by many threads.
 */
final class ServerWatch {

    private static final Logger log = LoggerFactory.getLogger(ServerWatch.class);

    /** How long an answer takes at most, as a rule. */
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
        this.lastAnswer = now;
        this.mayProbeAt = now;
        this.lastUse = now;
    }

    /** A call begins that is made whether the server is silent or not. */
    synchronized Call begin(long now) {
        return add(new Call(now, false));
    }

    /**
     * A call is to begin.
     *
     * @param onAnswer run, once, when a silent server answers again
     * @return null if the server is silent and must not be asked now
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

    /** When it will be silent if no answer comes; far away where none is awaited, or where it is silent already. */
    synchronized long silentAt(long now) {
        return (isSilent(now) || unanswered.isEmpty()) ? now + TimeUnit.DAYS.toNanos(1) : silentAt();
    }

    private long silentAt() {
        Iterator<Call> oldestFirst = unanswered.iterator();
        long since = oldestFirst.next().begin;
        return (since - lastAnswer > 0 ? since : lastAnswer) + PATIENCE;
    }

    private List<Runnable> answered(Call call, long now) {
        List<Runnable> toRun = new ArrayList<>();
        synchronized (this) {
            if (!remove(call)) {
                return List.of();
            }
            lastAnswer = now;
            away = false;
            pauses = BACK_OFF.start();
            toRun.addAll(waiting);
            waiting.clear();
        }
        return toRun;
    }

    private synchronized void failed(Call call, long now) {
        if (remove(call)) {
            if (lastAnswer - call.begin <= 0) {
                away = true;
                mayProbeAt = now + TimeUnit.MILLISECONDS.toNanos(pauses.nextBackOff());
            }
            call.awayAtEnd = away;
        }
    }

    private synchronized void inconclusive(Call call) {
        if (remove(call)) {
            call.awayAtEnd = away;
        }
    }

    /** Another call may be the probe now. Returns false if this one has ended before. */
    private synchronized boolean remove(Call call) {
        if (!unanswered.remove(call)) {
            return false;
        }
        if (call == probe) {
            probe = null;
        }
        return true;
    }

    /** Returns false if it has to be run now, as an answer came since the call had ended. */
    private synchronized boolean waits(Call call, Runnable onAnswer) {
        if (away) {
            waiting.add(onAnswer);
        }
        return away || !call.awayAtEnd;
    }

    /** Somebody does not want to be told any more. */
    synchronized void forget(Runnable onAnswer) {
        waiting.remove(onAnswer);
    }

    /** Whether nobody has asked for it in such a time, as for one that serves no shard any more. */
    boolean isUnused(long now, long nanos) {
        return now - lastUse >= nanos;
    }

    /** Somebody asks for it. Returns this. */
    ServerWatch used(long now) {
        lastUse = now;
        return this;
    }

    /** A call under way. It ends by one of its methods. */
    final class Call {

        private final long begin;
        private final boolean isProbe;
        /** Guarded by the watch. */
        private boolean awayAtEnd;

        private Call(long begin, boolean isProbe) {
            this.begin = begin;
            this.isProbe = isProbe;
        }

        /** Whether it was made to learn whether a silent server answers. */
        boolean isProbe() {
            return isProbe;
        }

        /** From when on nothing should wait for it. */
        long overdueAt() {
            return isProbe ? begin : begin + PATIENCE;
        }

        /**
         * To be called when it has failed: runs the action, once, when the server answers again, or now if it has done
         * so since; never if the server was not away.
         */
        void onNextAnswer(Runnable action) {
            if (!waits(this, action)) {
                action.run();
            }
        }

        /** The server has answered, with whatever. */
        void answered(long now) {
            ServerWatch.this
                    .answered(this, now)
                    .forEach(action -> Guard.run(log, "What waits for a server failed", action));
        }

        /** No answer came in the time that a call may take. */
        void failed(long now) {
            ServerWatch.this.failed(this, now);
        }

        /** It ended in this process: whether the server answers is as unknown as before. */
        void inconclusive() {
            ServerWatch.this.inconclusive(this);
        }
    }
}
