// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The acquires of one poller that are under way. Nothing waits for one that is overdue: what was kept free for its answer is free
 * for the shards of other servers, and if tasks come in the end, those that no worker is idle for go back. Only the poller
 * touches this.
 */
final class PendingAcquires {

    private final Capacity capacity;
    private final EngineThreads threads;
    private final List<Pending> all = new ArrayList<>();

    PendingAcquires(Capacity capacity, EngineThreads threads) {
        this.capacity = capacity;
        this.threads = threads;
    }

    /**
     * An acquire begins, for which {@link EngineThreads#mayAcquire} was told.
     *
     * @param limit tasks that it asks for
     * @param takesSuspect whether it may bring a task that is to be handled alone
     */
    Pending begin(ShardWatch watch, int limit, ServerWatch.Call call, boolean takesSuspect) {
        Pending pending = new Pending(watch, limit, call, takesSuspect);
        capacity.reserve(limit);
        all.add(pending);
        if (call.isProbe()) {
            passOver(pending);
        }
        return pending;
    }

    /** Finds those that are overdue. */
    void passOverdueOnes(long now) {
        for (Pending pending : all) {
            if (pending.awaited && pending.call.overdueAt() - now <= 0) {
                passOver(pending);
            }
        }
    }

    private void passOver(Pending pending) {
        pending.awaited = false;
        capacity.take(pending.limit, 0);
        pending.answered();
    }

    /** When the next will be overdue; far away if none can be. */
    long nextOverdue(long now) {
        long next = now + TimeUnit.DAYS.toNanos(1);
        for (Pending pending : all) {
            if (pending.awaited) {
                long at = pending.call.overdueAt();
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

    /** One has ended. What was kept free for it is free. */
    void ended(Pending pending) {
        all.remove(pending);
        if (pending.awaited) {
            capacity.take(pending.limit, 0);
        }
    }

    /** An acquire under way. */
    final class Pending {

        private final ShardWatch watch;
        private final int limit;
        private final ServerWatch.Call call;
        private final boolean takesSuspect;
        private final AtomicBoolean counted = new AtomicBoolean(true);
        private boolean awaited = true;

        private Pending(ShardWatch watch, int limit, ServerWatch.Call call, boolean takesSuspect) {
            this.watch = watch;
            this.limit = limit;
            this.call = call;
            this.takesSuspect = takesSuspect;
        }

        ShardWatch watch() {
            return watch;
        }

        ServerWatch.Call call() {
            return call;
        }

        boolean takesSuspect() {
            return takesSuspect;
        }

        /** Whether its answer was waited for until the end. */
        boolean isAwaited() {
            return awaited;
        }

        /** It is no longer one of the calls whose number is bounded. Any thread. */
        void answered() {
            if (counted.compareAndSet(true, false)) {
                threads.acquireEnded();
            }
        }
    }
}
