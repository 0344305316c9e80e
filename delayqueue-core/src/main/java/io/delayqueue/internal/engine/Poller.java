// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.WakeSignals;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scans one queue in one process. Each pass processes replies of Redis, hands acquired tasks to idle workers, scans due
 * shards within the workers' capacity, and schedules the next pass.
 *
 * <p>A poller has no thread of its own. Events signal its {@link ScanLoop}, and an alarm in the timing wheel starts the
 * next pass. State that only passes use needs no lock.
 */
final class Poller implements WakeSignals.Listener {

    private static final Logger log = LoggerFactory.getLogger(Poller.class);

    private final QueueSettings queue;
    private final EngineParts engine;
    private final TaskDestination destination;
    private final ScanLoop loop;
    private final Peers peers;
    private final WorkQueue work;
    private final BatchWorkers workers;
    private final ShardScans scans;
    private long shardingRead = System.nanoTime();
    private volatile Scheduler.Scheduled shardingChanges = () -> {};

    /** @param workerThreads runs each batch at once */
    Poller(QueueDelivery delivery, EngineParts engine, Executor workerThreads) {
        this.queue = delivery.queue();
        this.engine = engine;
        this.destination = delivery.destination();
        this.loop = new ScanLoop(
                queue.name(),
                engine.threads(),
                // To gather a batch, a pass may call calendars of the application.
                destination instanceof LibraryDestination
                        && LibraryDestination.gathersFor(destination).isZero(),
                queue.trigger().maxIdleInterval(),
                this::pass);
        this.peers = new Peers(queue.name());
        this.work = new WorkQueue(delivery, () -> engine.store().clock().standstill() != null, loop);
        this.workers =
                new BatchWorkers(delivery, new Handover(delivery, engine.gate(delivery.queue())), workerThreads, work);
        this.scans = new ShardScans(delivery, engine, loop, work, peers);
    }

    BatchWorkers workers() {
        return workers;
    }

    Set<LeasedDelivery> active() {
        return scans.active();
    }

    /** Starts scanning. Call {@link #stop()} even if this throws. */
    void start(WakeSignals wakeSignals) {
        shardingChanges = engine.shardings().listen(queue.name(), loop::signalElsewhere);
        peers.join(wakeSignals, this);
        loop.signalElsewhere();
    }

    /** Stops acquiring and releases deliveries that have not started. Running deliveries continue. */
    void stop() {
        loop.end();
        peers.leave();
        Guard.run(log, "Could not stop listening for sharding changes", shardingChanges::cancel);
        active().forEach(LeasedDelivery::releaseUnlessBegun);
        loop.signalElsewhere();
    }

    /**
     * Waits until at most the given numbers of workers and deliveries are left, and all other deliveries are settled.
     * Also releases the leases of lost replies, and waits for that as long as two calls take. Call it after {@link
     * #stop()}.
     *
     * @param workersAtWork number of workers that may still be busy
     * @param unended returns the number of deliveries that need not have ended
     */
    boolean awaitIdleBut(int workersAtWork, IntSupplier unended, Duration timeout) throws InterruptedException {
        long lostUntil = System.nanoTime() + 2 * engine.store().callTimeout().toNanos();
        BooleanSupplier elsewhere = () -> {
            boolean isIdle = scans.areNone() && work.isIdleBut(workersAtWork, unended.getAsInt());
            boolean anyLost = engine.store().leases().releaseLost(queue.name()); // also of the last scan
            return isIdle && !(anyLost && lostUntil - System.nanoTime() > 0);
        };
        return loop.awaitIdle(elsewhere, timeout);
    }

    /** Call this when nothing waits for the deliveries any longer. */
    void close() {
        scans.forgetServers();
        loop.close();
    }

    @Override
    public void wake(int shard) {
        if (peers.own(shard) || scans.standsIn(shard)) {
            scans.wake(shard);
            loop.signal();
        } else {
            scans.hear(shard);
        }
    }

    @Override
    public void wakeAll() {
        scans.wakeAll();
        loop.signalElsewhere();
    }

    /** Reads the sharding again, which notifies its listeners if it has changed. */
    @Override
    public void shardingChanged() {
        engine.shardings().refresh(queue.name());
    }

    @Override
    public void help(int shard) {
        scans.wake(shard);
        loop.signal();
    }

    /**
     * Ends only deliveries whose task has no lease in the store; others may belong to a task that was scheduled later.
     * Does not reply for one that had already lost its lease, because the delivery to end may be in another process.
     */
    @Override
    public void endDelivery(String id, Runnable ended) {
        active().stream().filter(delivery -> delivery.id().equals(id)).forEach(delivery -> {
            Runnable told = delivery.isLeaseLost() ? () -> {} : ended;
            Runnable end = () -> engine.threads().scanWithApplication(() -> delivery.endEarly(told));
            engine.renewer().ifLeaseIsGone(delivery, queue.lease(), end);
        });
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
        readShardingUnlessTold(now);
        peers.leaveToOthers(destination instanceof LibraryDestination library && library.leavesShardsToOthers());
        scans.reshard(engine.shardings().of(queue.name()).span());
        List<ScannedShard> due = scans.due(now, peers.signalsArrive());
        if (due.isEmpty()) {
            peers.noLongerHeldUp();
        } else {
            hadEnough &= scanUnlessHeldUp(due, now);
        }
        if (hadEnough) {
            work.hadEnough();
        }
        if (!peers.isHeldUp()) {
            loop.comeBackAt(scans.nextScan(now, peers.signalsArrive()));
        }
    }

    /** Reads the sharding, unless signals report its changes. Without signals, only this detects added shards. */
    private void readShardingUnlessTold(long now) {
        if (now - shardingRead >= queue.trigger().maxIdleInterval().toNanos() && !peers.signalsArrive()) {
            shardingRead = now;
            Guard.call(() -> engine.shardings().refresh(queue.name()));
        }
    }

    /**
     * Starts scans. If this is impossible, releases the leases of lost replies, and after a while asks other processes
     * for help. Returns whether there was capacity for all scans.
     */
    private boolean scanUnlessHeldUp(List<ScannedShard> due, long now) {
        Duration unavailable = destination.unavailableFor();
        boolean available = unavailable.compareTo(Duration.ZERO) <= 0;
        if (available && work.free() > 0) {
            peers.noLongerHeldUp();
            return scans.begin(due, now);
        }
        due.forEach(shard -> engine.store().leases().releaseLost(new Shard(queue.name(), shard.shard())));
        long askAgainAt = peers.heldUp(due, now);
        long lookAt = available ? askAgainAt : earlier(now + unavailable.toNanos(), askAgainAt);
        loop.comeBackAt(earlier(lookAt, scans.nextLate(now)));
        return false;
    }

    private static long earlier(long a, long b) {
        return (a - b <= 0) ? a : b;
    }
}
