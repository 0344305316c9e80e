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
 * <p>It has no thread of its own. Whatever happens signals its {@link Passes}; between them it is a moment in the
 * timing wheel and a few callbacks. What only passes touch needs no lock.
 */
final class Poller implements WakeSignals.Listener {

    private static final Logger log = LoggerFactory.getLogger(Poller.class);

    private final QueueSettings queue;
    private final QueueLayouts layouts;
    private final TaskDestination destination;
    private final Passes passes;
    private final Peers peers;
    private final Capacity capacity;
    private final ScanSchedule schedule;
    private final ReadyDeliveries ready;
    private final BatchWorkers workers;
    private final ShardScans scans;
    private final HelpCalls helpCalls = new HelpCalls(System.nanoTime());
    private long layoutRead = System.nanoTime();
    private volatile QueueLayouts.Registration layoutChanges = () -> {};

    /** @param threads runs as many batches at once as the settings have threads; must not queue */
    Poller(QueueDelivery delivery, EngineParts engine, Executor threads) {
        this.queue = delivery.queue();
        this.layouts = engine.layouts();
        this.destination = delivery.destination();
        this.passes = new Passes(queue.name(), engine.threads(), queue.trigger().maxIdleInterval(), this::pass);
        this.peers = new Peers(queue.name());
        this.capacity = new Capacity(
                queue.trigger().threads(),
                queue.trigger().batchSize(),
                destination.traits().batchesAhead(),
                passes::signal);
        this.schedule = new ScanSchedule(
                layouts.of(queue.name()).span(), queue.trigger().maxIdleInterval());
        this.ready = new ReadyDeliveries(delivery, capacity, passes);
        this.workers = new BatchWorkers(delivery, engine.gate(delivery.queue()), threads, capacity);
        ScanAnswers answers = new ScanAnswers(queue, peers, ready);
        this.scans = new ShardScans(delivery, engine, passes, schedule, capacity, answers);
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
        layoutChanges = layouts.listen(queue.name(), passes::signal);
        peers.join(wakeSignals, ownership, this);
        passes.signal();
    }

    /** Stops acquiring and releases what waits for its turn. Deliveries that run go on. */
    void stop() {
        passes.end();
        peers.leave();
        Seam.run(log, "Changes of a layout are still listened to", layoutChanges::close);
        active().all().forEach(LeasedDelivery::releaseUnlessBegun);
        passes.signal();
    }

    /**
     * Waits until every delivery has ended and is settled, but for some. Call after {@link #stop()}.
     *
     * @param workersAtWork so many may be at work
     * @param unended how many deliveries need not have ended
     */
    boolean awaitIdleBut(int workersAtWork, IntSupplier unended, Duration timeout) throws InterruptedException {
        BooleanSupplier elsewhere = () -> scans.areNone() && capacity.isIdleBut(workersAtWork, unended.getAsInt());
        return passes.awaitIdle(elsewhere, timeout);
    }

    /** To be called when nothing is waited for any more. */
    void close() {
        scans.forgetServers();
    }

    @Override
    public void wake(int shard) {
        if (peers.own(shard)) {
            schedule.wake(shard);
            passes.signal();
        } else {
            schedule.hear(shard);
        }
    }

    @Override
    public void wakeAll() {
        schedule.wakeAll();
        passes.signal();
    }

    /** Reads the layout again; that it has changed is heard then. */
    @Override
    public void layoutChanged() {
        layouts.refresh(queue.name());
    }

    @Override
    public void help(int shard) {
        schedule.wake(shard);
        passes.signal();
    }

    private void pass() {
        scans.takeUpAnswers();
        passes.takeUpEvents();
        if (passes.areEnding()) {
            ready.releaseAll();
            return;
        }
        ready.handTo(workers);
        long now = System.nanoTime();
        scans.passOverLateOnes(now);
        if (passes.arePausing(now)) {
            return;
        }
        readLayoutUnlessTold(now);
        schedule.resize(layouts.of(queue.name()).span());
        List<ScannedShard> due = schedule.due(now, peers.signalsArrive());
        if (due.isEmpty()) {
            helpCalls.over();
        } else {
            scanUnlessHeldUp(due, now);
        }
        if (!helpCalls.isHeldUp()) {
            passes.comeBackAt(schedule.nextScan(now, peers.signalsArrive(), now + maxIdleNanos()));
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

    /** If nothing can be taken for a while, the other processes are asked to scan what is due here. */
    private void scanUnlessHeldUp(List<ScannedShard> due, long now) {
        Duration unavailable = destination.unavailableFor();
        boolean available = unavailable.compareTo(Duration.ZERO) <= 0;
        if (available && capacity.free() > 0) {
            helpCalls.over();
            scans.begin(due, now);
            return;
        }
        long callAgainAt = helpCalls.heldUp(
                now,
                () -> due.stream().map(ScannedShard::shard).filter(peers::own).forEach(peers::callForHelp));
        long lookAt = available ? callAgainAt : earlier(now + unavailable.toNanos(), callAgainAt);
        passes.comeBackAt(earlier(lookAt, scans.nextLate(now)));
    }

    private static long earlier(long a, long b) {
        return (a - b <= 0) ? a : b;
    }
}
