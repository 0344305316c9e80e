// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.engine.Acquirer.Acquired;
import io.delayqueue.internal.store.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The current scans of one queue, at most one in each shard. Scans ask for no more than idle workers can carry, and only
 * servers that answer. Nothing waits for an overdue scan: the room that was reserved for its answer is free for the shards
 * of other servers. If it brings tasks after all, those that no idle worker can take are released. Except where noted, only
 * passes touch this.
 */
final class ShardScans {

    private static final Logger log = LoggerFactory.getLogger(ShardScans.class);
    private static final long BUSY_PAUSE = TimeUnit.MILLISECONDS.toNanos(25);
    private static final long SILENCE_PAUSE = TimeUnit.MILLISECONDS.toNanos(250);

    /** As many as a thread that brings an answer may start. */
    private static final int MOST_WORKERS_STARTED = 8;

    private final String queue;
    private final boolean isolatesSuspects;
    private final ServerWatches servers;
    private final EngineThreads threads;
    private final ScanLoop loop;
    private final ScanSchedule schedule;
    private final WorkQueue work;
    private final Peers peers;
    private final Acquirer acquirer;
    private final List<Scan> underWay = new ArrayList<>();
    private final AtomicInteger unfinished = new AtomicInteger();
    private final Runnable serverAnswers;
    private boolean suspectsPassedOver;

    ShardScans(
            QueueDelivery delivery,
            EngineParts engine,
            ScanLoop loop,
            ScanSchedule schedule,
            WorkQueue work,
            Peers peers) {
        this.queue = delivery.queue().name();
        this.isolatesSuspects = delivery.destination().deliversOneByOne();
        this.servers = engine.servers();
        this.threads = engine.threads();
        this.loop = loop;
        this.schedule = schedule;
        this.work = work;
        this.peers = peers;
        this.acquirer =
                new Acquirer(delivery, engine, delivery.queue().trigger().lookAhead());
        // When a silent server answers, its failed and deferred shards are scanned at once.
        this.serverAnswers = () -> {
            schedule.wakeFailed();
            loop.signal();
        };
    }

    /** Returns the deliveries that have no outcome yet. Any thread. */
    ActiveDeliveries active() {
        return acquirer.active();
    }

    /** Returns whether every scan has ended. Any thread. */
    boolean areNone() {
        return unfinished.get() == 0;
    }

    /** Stops listening for servers that answer again. */
    void forgetServers() {
        servers.forget(serverAnswers);
    }

    /** Finds the scans that are overdue, and leaves what is under lease on silent servers out of account. */
    void passOverLateOnes(long now) {
        for (Scan scan : underWay) {
            if (scan.awaited && scan.call.overdueAt() - now <= 0) {
                scan.passOver();
            }
        }
        boolean any = servers.anySilent(now);
        work.leaveOut(any ? schedule.leased(shard -> serverOf(shard).isSilent(now)) : 0);
    }

    /** Returns when a scan that holds up others will be overdue, or its server silent. */
    long nextLate(long now) {
        long next = servers.nextSilence(now);
        for (Scan scan : underWay) {
            if (scan.awaited && scan.call.overdueAt() - next < 0) {
                next = scan.call.overdueAt();
            }
        }
        return next;
    }

    private ServerWatch serverOf(int shard) {
        return servers.of(new Shard(queue, shard));
    }

    private boolean anyAwaited() {
        return underWay.stream().anyMatch(scan -> scan.awaited);
    }

    /**
     * Begins scans while there is capacity. A destination that delivers one by one takes one suspect at a time, so it has at
     * most one scan that is not overdue. A silent server gets one call at a time, and nothing waits for that.
     *
     * @param due the shards to scan, in this order
     * @return whether there was capacity for all
     */
    boolean begin(List<ScannedShard> due, long now) {
        int left = due.size();
        for (ScannedShard shard : due) {
            int limit = isolatesSuspects ? work.free() : (work.free() + left - 1) / left;
            if (loop.isEnding()) {
                return true;
            }
            if (limit == 0 || (isolatesSuspects && anyAwaited())) {
                loop.comeBackAt(nextLate(now));
                return false;
            }
            if (!threads.mayAcquire()) {
                loop.comeBackAt(now + BUSY_PAUSE);
                return true;
            }
            begin(shard, limit, now);
            left--;
        }
        return true;
    }

    /** To be called after {@link EngineThreads#mayAcquire}. */
    private void begin(ScannedShard shard, int limit, long now) {
        ServerWatch.Call call = null;
        try {
            call = serverOf(shard.shard()).ask(now, serverAnswers);
        } finally {
            if (call == null) {
                threads.acquireEnded();
            }
        }
        if (call == null) {
            loop.comeBackAt(now + SILENCE_PAUSE);
            return;
        }
        Scan scan = new Scan(shard, limit, call);
        try {
            scan.begin(now);
            acquirer.acquire(
                    new Shard(queue, shard.shard()),
                    limit,
                    scan.takesSuspect,
                    () -> taskDone(shard),
                    this::suspectDone,
                    scan::ended);
        } catch (Throwable ex) {
            scan.ended(null, ex); // this shard failed, the others go on
        }
    }

    private void taskDone(ScannedShard shard) {
        shard.addLeased(-1);
        work.taskDone();
    }

    private void suspectDone() {
        schedule.wakeAll();
        loop.signalElsewhere();
    }

    /** Processes the answers that have come. */
    void takeUpAnswers() {
        for (int i = 0; i < underWay.size(); ) {
            Scan scan = underWay.get(i);
            if (!scan.answered) {
                i++;
                continue;
            }
            underWay.remove(i);
            try {
                takeUp(scan);
            } catch (Throwable ex) {
                Guard.tell(() -> log.error("Queue '{}': could not process a scan result", queue, ex));
            } finally {
                unfinished.decrementAndGet();
            }
        }
    }

    /** Schedules the next scan of the shard and takes over or releases every delivery, even if anything throws. */
    private void takeUp(Scan scan) {
        if (scan.awaited) {
            work.endReservation(scan.limit);
        }
        Acquired acquired = scan.acquired;
        if (scan.takesSuspect && suspectsPassedOver) {
            suspectsPassedOver = false;
            schedule.wakeAll();
        }
        List<LeasedDelivery> deliveries = (acquired == null) ? List.of() : acquired.deliveries();
        scan.shard.addLeased(deliveries.size());
        try {
            if (acquired == null) {
                failed(scan.shard, scan.error);
                retryWhenItsServerAnswers(scan);
            } else {
                succeeded(scan, acquired);
            }
        } catch (Throwable ex) {
            scan.shard.scanBroke(System.nanoTime());
            throw ex;
        } finally {
            work.add(deliveries, scan.awaited);
        }
    }

    private void succeeded(Scan scan, Acquired acquired) {
        ScannedShard shard = scan.shard;
        if (shard.recovers()) {
            log.info("Queue '{}', shard {}: acquiring works again", queue, shard.shard());
        }
        shard.scanned(acquired.acquisition(), System.nanoTime(), peers.own(shard.shard()), peers.signalsArrive());
        if (scan.call.isProbe()) {
            shard.wake(); // it skipped suspects
        }
    }

    private void retryWhenItsServerAnswers(Scan scan) {
        if (!loop.isEnding()) {
            scan.call.onNextAnswer(serverAnswers);
        }
    }

    private void failed(ScannedShard shard, @Nullable Throwable error) {
        long now = System.nanoTime();
        shard.scanFailed(now);
        if (shard.isWorthAWarning(now)) {
            Throwable cause = (error == null) ? null : Causes.of(error);
            log.warn(
                    "Queue '{}', shard {}: cannot acquire tasks, still trying: {}",
                    queue,
                    shard.shard(),
                    (cause == null) ? "no answer" : cause.getMessage());
        }
    }

    /** One scan, which is one acquire. */
    private final class Scan {

        private final ScannedShard shard;
        private final int limit;
        private final ServerWatch.Call call;
        /** True while it counts towards the bound of acquires. */
        private final AtomicBoolean counted = new AtomicBoolean(true);

        private final AtomicBoolean ends = new AtomicBoolean();
        private boolean takesSuspect;
        /** True while room is reserved for its answer. */
        private boolean awaited;

        private @Nullable Acquired acquired;
        private @Nullable Throwable error;
        private volatile boolean answered;

        Scan(ScannedShard shard, int limit, ServerWatch.Call call) {
            this.shard = shard;
            this.limit = limit;
            this.call = call;
        }

        /** Only one scan at a time, overdue or not, may bring a suspect; a probe never does. */
        void begin(long now) {
            boolean isTaken = underWay.stream().anyMatch(scan -> scan.takesSuspect);
            underWay.add(this);
            unfinished.incrementAndGet();
            work.reserve(limit);
            awaited = true;
            suspectsPassedOver |= isTaken;
            takesSuspect = isolatesSuspects && !isTaken && !call.isProbe();
            shard.scanBegins(now);
            if (call.isProbe()) {
                passOver();
            }
        }

        void passOver() {
            awaited = false;
            work.endReservation(limit);
            leave();
        }

        private void leave() {
            if (counted.compareAndSet(true, false)) {
                threads.acquireEnded();
            }
        }

        /** It has ended, or could not begin. Any thread; the first time counts. */
        void ended(@Nullable Acquired brought, @Nullable Throwable failure) {
            if (!ends.compareAndSet(false, true)) {
                return;
            }
            acquired = brought;
            error = failure;
            answered = true;
            try {
                leave();
                ServerWatches.ended(call, failure);
            } finally {
                signal(brought);
            }
        }

        /** Workers may need new threads. To create many must not hold up this thread, which is often the driver's. */
        private void signal(@Nullable Acquired brought) {
            if (brought != null && work.workersFor(brought.deliveries().size()) > MOST_WORKERS_STARTED) {
                loop.signalElsewhere();
            } else {
                loop.signal();
            }
        }
    }
}
