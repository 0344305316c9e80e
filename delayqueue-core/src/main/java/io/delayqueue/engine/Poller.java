// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.engine;

import io.delayqueue.engine.Acquirer.Acquired;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.store.Shard;
import io.delayqueue.store.WakeSignals;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scanning loop of one queue in one process. Takes no more than the destination's workers can carry, sleeps until the
 * next task is due, a wake signal comes, a worker is free again or the back-stop has passed, and survives whatever Redis
 * and the destination do.
 */
public final class Poller implements Runnable, WakeSignals.Listener {

    private static final Logger log = LoggerFactory.getLogger(Poller.class);
    private static final Duration FIRST_ERROR_PAUSE = Duration.ofMillis(50);

    private final QueueSettings queue;
    private final Engine engine;
    private final TaskDestination destination;
    private final Executor workers;
    private final Acquirer acquirer;
    private final Waiter waiter = new Waiter();
    private final Capacity capacity;
    private final ShardAgenda agenda;
    private final ErrorPause[] errorPauses;
    private long pauseUntil = System.nanoTime();
    private volatile @Nullable ScheduledFuture<?> renewal;
    private volatile boolean stopping;

    /**
     * @param queue its settings; thread count, batch size and back-stop are those of its trigger settings
     * @param workers runs as many batches at once as the settings have threads; must not queue
     */
    public Poller(QueueSettings queue, Engine engine, TaskDestination destination, Executor workers) {
        this.queue = queue;
        this.destination = destination;
        this.workers = workers;
        this.engine = engine;
        this.acquirer = new Acquirer(queue, engine, destination);
        this.capacity = new Capacity(queue.trigger().threads(), queue.trigger().batchSize(), waiter::signal);
        this.agenda = new ShardAgenda(queue.shards());
        this.errorPauses = new ErrorPause[queue.shards()];
        Arrays.setAll(
                errorPauses,
                shard -> new ErrorPause(FIRST_ERROR_PAUSE, queue.trigger().backStop()));
    }

    /** Scans until {@link #stop()} is called or the thread is interrupted. */
    @Override
    public void run() {
        if (destination.renewsLeases()) {
            renewal = engine.renewer().watch(acquirer.active(), queue.lease());
        }
        while (!stopping) {
            try {
                waiter.await(scanDueShards());
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException | Error ex) {
                log.error("Queue '{}': scanning failed and goes on after the back-stop", queue.name(), ex);
                pauseUntil = System.nanoTime() + queue.trigger().backStop().toNanos();
            }
        }
    }

    @Override
    public void wake(int shard) {
        agenda.wake(shard);
        waiter.signal();
    }

    @Override
    public void wakeAll() {
        agenda.wakeAll();
        waiter.signal();
    }

    /** Stops acquiring and releases what waits for its turn. Deliveries that run go on. */
    public void stop() {
        stopping = true;
        acquirer.active().all().forEach(Delivery::releaseUnlessBegun);
        waiter.signal();
    }

    /** Waits until every delivery has ended and is settled. Call after {@link #stop()}, when {@link #run()} has returned. */
    public boolean awaitIdle(Duration timeout) throws InterruptedException {
        return waiter.awaitUntil(capacity::isIdle, timeout.toNanos());
    }

    /** Says that the workers are about to be interrupted: what fails from now on did not fail by itself. */
    public void interrupting() {
        acquirer.active().all().forEach(Delivery::interrupted);
    }

    /** Gives back what has no outcome yet: due at once, though its delivery may still be under way. */
    public void breakOff() {
        acquirer.active().all().forEach(delivery -> {
            if (!delivery.releaseUnlessBegun()) {
                delivery.breakOff("broken off by a shutdown");
            }
        });
    }

    /** Ends renewing leases. To be called last. */
    public void close() {
        ScheduledFuture<?> current = renewal;
        if (current != null) {
            current.cancel(false);
        }
    }

    /** Returns for how many nanoseconds there is nothing to do. */
    private long scanDueShards() {
        long pause = pauseUntil - System.nanoTime();
        if (pause > 0) {
            return pause;
        }
        Duration unavailable = destination.unavailableFor();
        if (unavailable.compareTo(Duration.ZERO) > 0) {
            return unavailable.toNanos();
        }
        for (int shard : agenda.due(System.nanoTime())) {
            int limit = capacity.free();
            if (limit == 0) {
                return queue.trigger().backStop().toNanos();
            }
            if (stopping) {
                return 0;
            }
            scan(shard, limit);
        }
        return agenda.nanosUntilNext(System.nanoTime());
    }

    private void scan(int shard, int limit) {
        Acquired acquired;
        ErrorPause errorPause = errorPauses[shard];
        try {
            acquired = acquirer.acquire(new Shard(queue.name(), shard), limit, capacity::taskDone, this::wakeAll);
        } catch (RuntimeException ex) {
            Duration pause = errorPause.next();
            if (errorPause.isWorthAWarning()) {
                log.warn(
                        "Queue '{}', shard {}: cannot acquire tasks, goes on trying: {}",
                        queue.name(),
                        shard,
                        ex.getMessage());
            }
            agenda.scanAt(shard, System.nanoTime() + pause.toNanos());
            return;
        }
        if (errorPause.reset()) {
            log.info("Queue '{}', shard {}: acquiring works again", queue.name(), shard);
        }
        Duration backStop = queue.trigger().backStop();
        Duration untilNext = acquired.acquisition().untilNext();
        Duration pause = (untilNext == null || untilNext.compareTo(backStop) > 0) ? backStop : untilNext;
        agenda.scanAt(shard, System.nanoTime() + pause.toNanos());
        dispatch(acquired.deliveries());
    }

    /**
     * How many deliveries a worker takes. Where they are delivered one after the other, none is to wait behind another while a
     * worker is idle.
     */
    private int share(int deliveries) {
        int most = queue.trigger().batchSize();
        if (!destination.beginsEach()) {
            return most;
        }
        int idle = Math.max(1, capacity.idleWorkers());
        return Math.max(1, Math.min(most, (deliveries + idle - 1) / idle));
    }

    /** Each worker takes a batch. */
    private void dispatch(List<Delivery> deliveries) {
        capacity.take(deliveries.size());
        if (stopping) {
            deliveries.forEach(Delivery::releaseUnlessBegun);
            return;
        }
        int batchSize = share(deliveries.size());
        for (int from = 0; from < deliveries.size(); from += batchSize) {
            int to = Math.min(from + batchSize, deliveries.size());
            List<Delivery> batch = deliveries.subList(from, to);
            capacity.startWorker();
            try {
                workers.execute(() -> deliver(batch));
            } catch (RejectedExecutionException ex) {
                capacity.endWorker();
                batch.forEach(Delivery::release);
            } catch (Error ex) {
                // no thread could be made
                capacity.endWorker();
                deliveries.subList(from, deliveries.size()).forEach(Delivery::release);
                throw ex;
            }
        }
    }

    private void deliver(List<Delivery> batch) {
        List<Delivery> deliveries = destination.beginsEach()
                ? batch
                : batch.stream().filter(Delivery::begin).toList();
        try {
            if (!deliveries.isEmpty()) {
                destination.deliver(deliveries);
            }
        } catch (Throwable ex) { // also a checked one that code without checked exceptions let through
            log.error(
                    "Queue '{}': the destination threw; the deliveries without outcome have failed", queue.name(), ex);
            deliveries.forEach(delivery -> {
                if (!delivery.releaseUnlessBegun()) {
                    delivery.fail("destination threw " + ex.getClass().getName(), true);
                }
            });
        } finally {
            capacity.endWorker();
        }
    }
}
