// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.engine.Acquirer.Acquired;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.WakeSignals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Scans the shards of one queue when they are due, with at most one scan per shard at a time. Scans request no more
 * tasks than idle workers can take, and only from servers that answer. Nothing waits for an overdue scan: its reserved
 * capacity becomes available to shards of other servers. If it returns tasks after all, those that no idle worker can
 * take are released. Only passes use this class, except where noted.
 */
final class ShardScans {

    private static final Logger log = LoggerFactory.getLogger(ShardScans.class);
    private static final long BUSY_PAUSE = TimeUnit.MILLISECONDS.toNanos(25);
    private static final long SILENCE_PAUSE = TimeUnit.MILLISECONDS.toNanos(250);

    /** Maximum number of workers that the thread of a reply may start. */
    private static final int MOST_WORKERS_STARTED = 8;

    private final String queue;
    private final Duration maxIdleInterval;
    private final boolean isolatesSuspects;
    private final EngineParts engine;
    private final ScanLoop loop;
    private final WorkQueue work;
    private final Peers peers;
    private final Acquirer acquirer;
    private final Runnable serverAnswers = this::serverAnswers;
    private volatile ScannedShard[] shards = {};
    private final List<Scan> scans = new ArrayList<>();
    private final AtomicInteger unfinished = new AtomicInteger();
    private boolean suspectsPassedOver;

    ShardScans(QueueDelivery delivery, EngineParts engine, ScanLoop loop, WorkQueue work, Peers peers) {
        this.queue = delivery.queue().name();
        this.maxIdleInterval = delivery.queue().trigger().maxIdleInterval();
        this.isolatesSuspects = delivery.destination().deliversOneByOne();
        this.engine = engine;
        this.loop = loop;
        this.work = work;
        this.peers = peers;
        this.acquirer = new Acquirer(delivery, engine);
        reshard(engine.shardings().of(queue).span());
    }

    /** Schedules added shards at once and forgets removed ones. */
    void reshard(int count) {
        ScannedShard[] old = shards;
        if (count == old.length) {
            return;
        }
        ScannedShard[] resharded = Arrays.copyOf(old, count);
        for (int shard = old.length; shard < count; shard++) {
            double ahead = ThreadLocalRandom.current().nextDouble();
            resharded[shard] = new ScannedShard(shard, maxIdleInterval, System.nanoTime(), ahead);
        }
        shards = resharded;
    }

    /** Makes a shard due for a scan. Ignores unknown shards. Thread-safe. */
    void wake(int shard) {
        ScannedShard[] current = shards;
        if (shard >= 0 && shard < current.length) {
            current[shard].wake();
        }
    }

    /** Returns whether this process scans a shard in place of its owner. Thread-safe. */
    boolean standsIn(int shard) {
        ScannedShard[] current = shards;
        return shard >= 0
                && shard < current.length
                && current[shard].standsIn(System.nanoTime())
                && peers.place(shard) != WakeSignals.Registration.NEVER;
    }

    /** Records work in a shard that another process should scan. Ignores unknown shards. Thread-safe. */
    void hear(int shard) {
        ScannedShard[] current = shards;
        if (shard >= 0 && shard < current.length) {
            current[shard].hear();
        }
    }

    /** Makes all shards due for a scan. Thread-safe. */
    void wakeAll() {
        wakeIf(shard -> true);
    }

    private void wakeIf(Predicate<ScannedShard> condition) {
        for (ScannedShard shard : shards) {
            if (condition.test(shard)) {
                shard.wake();
            }
        }
    }

    /** Makes the failed and deferred shards of a silent server due for a scan when it answers. Thread-safe. */
    private void serverAnswers() {
        wakeIf(ScannedShard::hasFailed);
        loop.signal();
    }

    /**
     * Returns the shards to scan now, the least recently scanned first.
     *
     * @param signalsArrive whether wake signals are known to arrive now
     */
    List<ScannedShard> due(long now, boolean signalsArrive) {
        List<ScannedShard> due = new ArrayList<>();
        for (ScannedShard shard : shards) {
            if (shard.isDue(now, signalsArrive)) {
                due.add(shard);
            }
        }
        if (due.size() > 1) {
            due.sort((a, b) -> Long.compare(b.sinceLastScan(now), a.sinceLastScan(now)));
        }
        return due;
    }

    /** Returns when the next shard will be due, at the latest after a max-idle-interval. */
    long nextScan(long now, boolean signalsArrive) {
        long next = now + maxIdleInterval.toNanos();
        for (ScannedShard shard : shards) {
            if (!shard.isScanning()) {
                long at = shard.nextScan(now, signalsArrive);
                next = (at - now > 0 && at - next < 0) ? at : next;
            }
        }
        return next;
    }

    Set<LeasedDelivery> active() {
        return acquirer.active();
    }

    /** Returns whether every scan has ended. Thread-safe. */
    boolean areNone() {
        return unfinished.get() == 0;
    }

    /** Stops listening for recovered servers. */
    void forgetServers() {
        engine.servers().forget(serverAnswers);
    }

    /** Frees the capacity of overdue scans, and no longer counts tasks that are leased on silent servers. */
    void passOverLateOnes(long now) {
        for (Scan scan : scans) {
            if (scan.call.overdueAt() - now <= 0) {
                scan.endWait();
            }
        }
        work.leaveOut(engine.servers().anySilent(now) ? leasedOnSilentServers(now) : 0);
    }

    private int leasedOnSilentServers(long now) {
        int leased = 0;
        for (ScannedShard shard : shards) {
            if (shard.leased() > 0 && serverOf(shard.shard()).isSilent(now)) {
                leased += shard.leased();
            }
        }
        return leased;
    }

    /** Returns the time when the next scan that delays others will be overdue, or its server silent. */
    long nextLate(long now) {
        long next = engine.servers().nextSilence(now);
        for (Scan scan : scans) {
            if (scan.awaited && scan.call.overdueAt() - next < 0) {
                next = scan.call.overdueAt();
            }
        }
        return next;
    }

    private ServerWatch serverOf(int shard) {
        return engine.servers().of(new Shard(queue, shard));
    }

    /**
     * Starts scans while there is capacity. A destination that delivers one by one may get one suspect at a time, so at
     * most one of its scans is not overdue. A silent server gets one call at a time, and nothing waits for this call.
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
            if (limit == 0 || (isolatesSuspects && scans.stream().anyMatch(scan -> scan.awaited))) {
                loop.comeBackAt(nextLate(now));
                return false;
            }
            if (!engine.threads().mayAcquire()) {
                loop.comeBackAt(now + BUSY_PAUSE);
                return true;
            }
            begin(shard, limit, now);
            left--;
        }
        return true;
    }

    /** Starts the scan of a shard. Call it after {@link EngineThreads#mayAcquire}. */
    private void begin(ScannedShard shard, int limit, long now) {
        ServerWatch.Call call = null;
        ServerWatch.Call first = null;
        Scan scan = null;
        try {
            call = serverOf(shard.shard()).ask(now, serverAnswers);
            ServerWatch firstServer = acquirer.firstServer(new Shard(queue, shard.shard()));
            first = (firstServer == null) ? null : firstServer.ask(now, serverAnswers);
            if (call == null || (firstServer != null && first == null)) {
                loop.comeBackAt(now + SILENCE_PAUSE);
                return;
            }
            Scan next = new Scan(shard, limit, call, first);
            scans.add(next);
            scan = next;
        } finally {
            if (scan == null) {
                engine.threads().acquireEnded();
                if (call != null) {
                    call.inconclusive();
                }
                if (first != null) {
                    first.inconclusive();
                }
            }
        }
        try {
            scan.begin(now);
            acquirer.acquire(
                    new Shard(queue, shard.shard()),
                    limit,
                    scan.takesSuspect,
                    () -> taskDone(shard),
                    this::suspectDone,
                    scan::sending,
                    scan::ended);
        } catch (Throwable ex) {
            scan.ended(null, ex); // Only this shard failed.
        }
    }

    private void taskDone(ScannedShard shard) {
        shard.addLeased(-1);
        work.taskDone();
    }

    private void suspectDone() {
        wakeAll();
        loop.signalElsewhere();
    }

    void takeUpAnswers() {
        for (int i = 0; i < scans.size(); ) {
            Scan scan = scans.get(i);
            if (!scan.answered) {
                i++;
                continue;
            }
            scans.remove(i);
            try {
                takeUp(scan);
            } catch (Throwable ex) {
                Guard.tell(() -> log.error("Queue '{}': could not process a scan result", queue, ex));
            } finally {
                unfinished.decrementAndGet();
            }
        }
    }

    /** Schedules the next scan of the shard, and accepts or releases every delivery, even if a step throws. */
    private void takeUp(Scan scan) {
        boolean reserved = scan.endWait();
        Acquired acquired = scan.acquired;
        if (scan.takesSuspect && suspectsPassedOver) {
            suspectsPassedOver = false;
            wakeAll();
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
            work.add(deliveries, reserved);
        }
    }

    private void succeeded(Scan scan, Acquired acquired) {
        ScannedShard shard = scan.shard;
        if (scan.isSent && shard.recovers()) {
            log.info("Queue '{}', shard {}: acquiring tasks works again", queue, shard.shard());
        }
        shard.scanned(acquired.acquisition(), System.nanoTime(), peers.place(shard.shard()), peers.signalsArrive());
        if (scan.isProbe()) {
            shard.wake(); // The scan skipped suspects.
        }
    }

    private void retryWhenItsServerAnswers(Scan scan) {
        if (!loop.isEnding()) {
            scan.current().onNextAnswer(serverAnswers);
        }
    }

    private void failed(ScannedShard shard, @Nullable Throwable error) {
        long now = System.nanoTime();
        shard.scanFailed(now);
        boolean isOutage = error != null && TaskFailures.isOutage(error);
        if (isOutage || shard.isWorthAWarning(now)) {
            Throwable cause = (error == null) ? null : Causes.of(error);
            log.atLevel(isOutage ? Level.DEBUG : Level.WARN)
                    .log(
                            "Queue '{}', shard {}: could not acquire tasks; retrying: {}",
                            queue,
                            shard.shard(),
                            (cause == null) ? "no answer" : cause.getMessage());
        }
    }

    /** One scan, which is a single acquire. */
    private final class Scan {

        private final ScannedShard shard;
        private final int limit;
        private final ServerWatch.Call call;
        /** The call to the server with the rate of the queue, if that is not the shard's server. */
        private final ServerWatch.@Nullable Call first;

        private final AtomicBoolean ends = new AtomicBoolean();
        private boolean takesSuspect;
        /** Whether capacity is reserved for the reply and this scan counts towards the limit of acquires. */
        private boolean awaited;

        private @Nullable Acquired acquired;
        private @Nullable Throwable error;
        private volatile boolean answered;
        private volatile boolean isSent;

        Scan(ScannedShard shard, int limit, ServerWatch.Call call, ServerWatch.@Nullable Call first) {
            this.shard = shard;
            this.limit = limit;
            this.call = call;
            this.first = first;
            this.isSent = first == null;
        }

        boolean isProbe() {
            return call.isProbe() || (first != null && first.isProbe());
        }

        /** Returns the call whose reply the scan awaits or awaited last. */
        ServerWatch.Call current() {
            return first == null || isSent ? call : first;
        }

        /** Called before the call to the shard's server, after the first server, if any, has answered. Thread-safe. */
        void sending() {
            if (first != null) {
                isSent = true;
                first.answered(System.nanoTime());
                call.sent(System.nanoTime());
            }
        }

        /**
         * Begins this scan. It may return a suspect only if no other scan may, including overdue ones, and if it is not
         * a probe.
         */
        void begin(long now) {
            unfinished.incrementAndGet();
            work.reserve(limit);
            awaited = true;
            boolean isTaken = scans.stream().anyMatch(scan -> scan.takesSuspect);
            suspectsPassedOver |= isTaken;
            takesSuspect = isolatesSuspects && !isTaken && !isProbe();
            shard.scanBegins(now);
            if (first != null) {
                call.inconclusive();
            }
            if (isProbe()) {
                endWait();
            }
        }

        /** Frees the capacity that is reserved for the reply. Returns whether any was reserved. */
        boolean endWait() {
            boolean was = awaited;
            if (was) {
                awaited = false;
                work.endReservation(limit);
                engine.threads().acquireEnded();
            }
            return was;
        }

        /** Records that the scan has ended or could not start. Thread-safe; only the first call counts. */
        void ended(@Nullable Acquired brought, @Nullable Throwable failure) {
            if (!ends.compareAndSet(false, true)) {
                return;
            }
            acquired = brought;
            error = failure;
            answered = true;
            try {
                ServerWatches.ended(current(), failure);
            } finally {
                signal(brought);
            }
        }

        /**
         * Signals a pass. Uses another thread if many workers may need new threads, because creating them would delay
         * this thread, which often belongs to the driver.
         */
        private void signal(@Nullable Acquired brought) {
            if (brought != null && work.workersFor(brought.deliveries().size()) > MOST_WORKERS_STARTED) {
                loop.signalElsewhere();
            } else {
                loop.signal();
            }
        }
    }
}
