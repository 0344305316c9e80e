// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.Seam;
import io.delayqueue.internal.sharding.QueueLayouts;
import io.delayqueue.internal.store.ShardOwnership;
import io.delayqueue.internal.store.WakeSignals;
import io.delayqueue.queue.QueueSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scans one queue in one process. Takes no more than the destination's workers can carry, comes back when the next task
 * is due, a wake signal comes, a worker is free again or the longest idle interval has passed, and survives whatever
 * Redis and the destination do.
 *
 * <p>It has no thread of its own. Whatever happens signals its {@link ScanLoop}; between them it is an alarm in the timing
 * wheel and a few callbacks. What only passes touch needs no lock.
 */
final class Poller implements WakeSignals.Listener {

    private static final Logger log = LoggerFactory.getLogger(Poller.class);

    private final QueueSettings queue;
    private final QueueLayouts layouts;
    private final TaskDestination destination;
    private final ScanLoop loop;
    private final Peers peers;
    private final ScanSchedule schedule;
    private final WorkQueue work;
    private final BatchWorkers workers;
    private final ShardScans scans;
    private long layoutRead = System.nanoTime();
    private volatile QueueLayouts.Registration layoutChanges = () -> {};

    /** @param threads runs as many batches at once as the settings have threads; must not queue */
    Poller(QueueDelivery delivery, EngineParts engine, Executor threads) {
        this.queue = delivery.queue();
        this.layouts = engine.layouts();
        this.destination = delivery.destination();
        this.loop = new ScanLoop(
                queue.name(),
                engine.threads(),
                destination instanceof LibraryDestination,
                queue.trigger().maxIdleInterval(),
                this::pass);
        this.peers = new Peers(queue.name());
        this.schedule = new ScanSchedule(
                layouts.of(queue.name()).span(), queue.trigger().maxIdleInterval());
        this.work = new WorkQueue(delivery, loop);
        this.workers = new BatchWorkers(delivery, engine.gate(delivery.queue()), threads, work);
        this.scans = new ShardScans(delivery, engine, loop, schedule, work, peers);
    }

    /** Those that deliver what it takes. */
    BatchWorkers workers() {
        return workers;
    }

    /** The deliveries that have no outcome yet. */
    ActiveDeliveries active() {
        return scans.active();
    }

    /** Scans from now on, until {@link #stop()} is called, which is to be called also if this throws. */
    void start(WakeSignals wakeSignals, ShardOwnership ownership) {
        layoutChanges = layouts.listen(queue.name(), loop::signalElsewhere);
        peers.join(wakeSignals, ownership, this);
        loop.signalElsewhere();
    }

    /** Stops acquiring and releases what waits for its turn. Deliveries that run go on. */
    void stop() {
        loop.end();
        peers.leave();
        Seam.run(log, "Changes of a layout are still listened to", layoutChanges::close);
        active().all().forEach(LeasedDelivery::releaseUnlessBegun);
        loop.signalElsewhere();
    }

    /**
     * Waits until every delivery has ended and is settled, but for some. Call after {@link #stop()}.
     *
     * @param workersAtWork so many may be at work
     * @param unended how many deliveries need not have ended
     */
    boolean awaitIdleBut(int workersAtWork, IntSupplier unended, Duration timeout) throws InterruptedException {
        BooleanSupplier elsewhere = () -> scans.areNone() && work.isIdleBut(workersAtWork, unended.getAsInt());
        return loop.awaitIdle(elsewhere, timeout);
    }

    /** To be called when nothing is waited for any more. */
    void close() {
        scans.forgetServers();
    }

    @Override
    public void wake(int shard) {
        if (peers.own(shard)) {
            schedule.wake(shard);
            loop.signal();
        } else {
            schedule.hear(shard);
        }
    }

    @Override
    public void wakeAll() {
        schedule.wakeAll();
        loop.signalElsewhere();
    }

    /** Reads the layout again; that it has changed is heard then. */
    @Override
    public void layoutChanged() {
        layouts.refresh(queue.name());
    }

    @Override
    public void help(int shard) {
        schedule.wake(shard);
        loop.signal();
    }

    private void pass() {
        work.watchCapacity();
        scans.takeUpAnswers();
        if (loop.isEnding()) {
            work.releaseAll();
            return;
        }
        boolean hadEnough = work.handTo(workers);
        long now = System.nanoTime();
        scans.passOverLateOnes(now);
        if (loop.isPausing(now)) {
            return;
        }
        readLayoutUnlessTold(now);
        schedule.resize(layouts.of(queue.name()).span());
        List<ScannedShard> due = schedule.due(now, peers.signalsArrive());
        if (due.isEmpty()) {
            peers.noLongerHeldUp();
        } else {
            hadEnough &= scanUnlessHeldUp(due, now);
        }
        if (hadEnough) {
            work.hadEnough();
        }
        if (!peers.isHeldUp()) {
            loop.comeBackAt(schedule.nextScan(now, peers.signalsArrive(), now + maxIdleNanos()));
        }
    }

    private long maxIdleNanos() {
        return queue.trigger().maxIdleInterval().toNanos();
    }

    /** Shards that were added are scanned by nobody who has not heard of them. */
    private void readLayoutUnlessTold(long now) {
        if (now - layoutRead >= maxIdleNanos() && !peers.signalsArrive()) {
            layoutRead = now;
            Seam.call(() -> layouts.refresh(queue.name()));
        }
    }

    /**
     * If nothing can be taken for a while, the other processes are asked to scan what is due here. Returns whether there was
     * capacity for all.
     */
    private boolean scanUnlessHeldUp(List<ScannedShard> due, long now) {
        Duration unavailable = destination.unavailableFor();
        boolean available = unavailable.compareTo(Duration.ZERO) <= 0;
        if (available && work.free() > 0) {
            peers.noLongerHeldUp();
            return scans.begin(due, now);
        }
        long askAgainAt = peers.heldUp(due, now);
        long lookAt = available ? askAgainAt : earlier(now + unavailable.toNanos(), askAgainAt);
        loop.comeBackAt(earlier(lookAt, scans.nextLate(now)));
        return false;
    }

    private static long earlier(long a, long b) {
        return (a - b <= 0) ? a : b;
    }
}
