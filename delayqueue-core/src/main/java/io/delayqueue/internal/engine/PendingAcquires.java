// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.engine.Acquirer.Acquired;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The acquires of one poller that are under way. Nothing waits for one that is overdue: what was kept free for its
 * answer is free for the shards of other servers, and if tasks come in the end, those that no worker is idle for go
 * back. Only the poller touches this.
 */
final class PendingAcquires {

    private final Capacity capacity;
    private final EngineThreads threads;
    private final Runnable onAnswer;
    private final List<Pending> all = new ArrayList<>();
    private final AtomicInteger underWay = new AtomicInteger();
    private boolean suspectsPassedOver;

    /** @param onAnswer run by any thread when one has ended, so that {@link #endAnswered} is called */
    PendingAcquires(Capacity capacity, EngineThreads threads, Runnable onAnswer) {
        this.capacity = capacity;
        this.threads = threads;
        this.onAnswer = onAnswer;
    }

    /**
     * One for which nothing is taken yet. Whatever is thrown from now on, {@link Pending#answered} ends all that it
     * holds.
     *
     * @param limit tasks that it asks for
     */
    Pending prepare(ScannedShard watch, int limit) {
        return new Pending(watch, limit);
    }

    /**
     * Ends those that have an answer. What was kept free for them is free.
     *
     * @param takeUp is given each
     */
    void endAnswered(Consumer<Pending> takeUp) {
        int i = 0;
        while (i < all.size()) {
            Pending pending = all.get(i);
            if (!pending.answered) {
                i++;
                continue;
            }
            all.remove(i);
            if (pending.awaited) {
                capacity.take(pending.limit, 0);
            }
            try {
                takeUp.accept(pending);
            } finally {
                underWay.decrementAndGet();
            }
        }
    }

    /** Whether none is under way. Any thread. */
    boolean isEmpty() {
        return underWay.get() == 0;
    }

    /** Finds those that are overdue. */
    void passOverdueOnes(long now) {
        for (Pending pending : all) {
            if (pending.awaited && pending.call().overdueAt() - now <= 0) {
                passOver(pending);
            }
        }
    }

    private void passOver(Pending pending) {
        pending.awaited = false;
        capacity.take(pending.limit, 0);
        pending.leave();
    }

    /** When the next will be overdue; far away if none can be. */
    long nextOverdue(long now) {
        long next = now + TimeUnit.DAYS.toNanos(1);
        for (Pending pending : all) {
            if (pending.awaited) {
                long at = pending.call().overdueAt();
                next = (at - next < 0) ? at : next;
            }
        }
        return next;
    }

    /** Whether there are any that are not overdue. */
    boolean anyAwaited() {
        return all.stream().anyMatch(pending -> pending.awaited);
    }

    /** Whether any of them, overdue or not, may bring a task that is to be handled alone. */
    boolean anyTakesSuspect() {
        return all.stream().anyMatch(pending -> pending.takesSuspect);
    }

    /**
     * Whether others have passed over suspects meanwhile because this one, which has ended, might bring one; says so
     * once.
     */
    boolean hasPassedOverSuspects(Pending ended) {
        if (!ended.takesSuspect || !suspectsPassedOver) {
            return false;
        }
        suspectsPassedOver = false;
        return true;
    }

    /** An acquire under way. */
    final class Pending {

        private final ScannedShard watch;
        private final int limit;
        private final AtomicBoolean counted = new AtomicBoolean();
        private final AtomicBoolean ends = new AtomicBoolean();
        private ServerWatch.@Nullable Call call;
        private boolean takesSuspect;
        private boolean awaited;
        private @Nullable Acquired acquired;
        private @Nullable Throwable error;
        private volatile boolean answered;

        private Pending(ScannedShard watch, int limit) {
            this.watch = watch;
            this.limit = limit;
        }

        /**
         * Whether it may be one of the calls whose number is bounded; then it is, until it is {@linkplain #answered}.
         */
        boolean enter() {
            if (!threads.mayAcquire()) {
                return false;
            }
            counted.set(true);
            return true;
        }

        /** Whether the server may be asked now, see {@link ServerWatch#ask}. */
        boolean ask(ServerWatch server, long now, Runnable onNextAnswer) {
            call = server.ask(now, onNextAnswer);
            return call != null;
        }

        /**
         * It begins, after both were allowed.
         *
         * @param isolatesSuspects whether it may bring a task that is to be handled alone, unless another one may or it
         *     is a probe
         */
        void begin(long now, boolean isolatesSuspects) {
            boolean isTaken = anyTakesSuspect();
            suspectsPassedOver |= isTaken;
            all.add(this);
            underWay.incrementAndGet();
            capacity.reserve(limit);
            awaited = true;
            takesSuspect = isolatesSuspects && !isTaken && !call().isProbe();
            watch.scanBegins(now);
            if (call().isProbe()) {
                passOver(this);
            }
        }

        ScannedShard watch() {
            return watch;
        }

        int limit() {
            return limit;
        }

        ServerWatch.Call call() {
            return Objects.requireNonNull(call);
        }

        boolean takesSuspect() {
            return takesSuspect;
        }

        /** Whether its answer was waited for until the end. */
        boolean isAwaited() {
            return awaited;
        }

        /** What it brought; null if it failed. */
        @Nullable
        Acquired acquired() {
            return acquired;
        }

        @Nullable
        Throwable error() {
            return error;
        }

        /** It is no longer one of the calls whose number is bounded. Any thread. */
        void leave() {
            if (counted.compareAndSet(true, false)) {
                threads.acquireEnded();
            }
        }

        /** It has ended, or could not begin. Any thread; the first time counts. Nothing that it took stays taken. */
        void answered(@Nullable Acquired brought, @Nullable Throwable failure) {
            if (!ends.compareAndSet(false, true)) {
                return;
            }
            acquired = brought;
            error = failure;
            answered = true;
            try {
                leave();
                if (call != null) {
                    ServerWatches.ended(call, failure);
                }
            } finally {
                onAnswer.run();
            }
        }
    }
}
