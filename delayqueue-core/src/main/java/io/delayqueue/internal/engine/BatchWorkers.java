// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.Guard;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of one queue, each at a batch. What a destination throws fails the deliveries that have no outcome yet.
 */
final class BatchWorkers {

    private static final Logger log = LoggerFactory.getLogger(BatchWorkers.class);

    private final String queue;
    private final Handover handover;
    private final Executor threads;
    private final WorkQueue work;
    private final int mostReplaced;
    private final AtomicInteger replaced = new AtomicInteger();
    private final Map<Thread, Batch> delivering = new ConcurrentHashMap<>();
    private volatile Runnable whenAllEnded = () -> {};

    /**
     * @param gate that deliveries pass before they begin; null for none
     * @param threads runs a batch at once; must not queue
     */
    BatchWorkers(QueueDelivery delivery, @Nullable DeliveryGate gate, Executor threads, WorkQueue work) {
        this.queue = delivery.queue().name();
        this.mostReplaced = delivery.queue().trigger().threads();
        this.handover = new Handover(delivery, gate);
        this.threads = threads;
        this.work = work;
    }

    /** Delivers a batch, for which a worker was counted as busy. If there is no thread for it, the batch is released. */
    void start(List<LeasedDelivery> batch) {
        try {
            Batch taken = new Batch(batch, new AtomicBoolean());
            threads.execute(() -> deliver(taken));
        } catch (RejectedExecutionException ex) {
            work.workerDone();
            batch.forEach(LeasedDelivery::release);
        } catch (Throwable ex) {
            // no thread could be made
            work.workerDone();
            batch.forEach(LeasedDelivery::release);
            throw ex;
        }
    }

    private void deliver(Batch taken) {
        List<LeasedDelivery> batch = taken.deliveries();
        try {
            delivering.put(Thread.currentThread(), taken);
            handover.deliver(batch);
        } catch (Throwable ex) {
            Guard.tell(() -> log.error(
                    "Queue '{}': the destination threw; the deliveries without outcome have failed", queue, ex));
            String reason = "destination threw " + ex.getClass().getName();
            batch.forEach(delivery ->
                    Guard.run(log, "An outcome could not be told", () -> delivery.failUnlessReleased(reason)));
        } finally {
            delivering.remove(Thread.currentThread());
            if (taken.left().compareAndSet(false, true)) {
                work.workerDone();
            } else {
                replaced.decrementAndGet();
                Guard.tell(() -> log.info("Queue '{}': a worker that hung and was replaced has ended", queue));
            }
            if (delivering.isEmpty()) {
                whenAllEnded.run();
            }
        }
    }

    /**
     * Frees the place of a worker whose delivery hangs, and releases what it has not begun, also where it is not replaced. As
     * many as there are workers may be replaced and hang at the same time. Any thread; does not block.
     *
     * @param hung cannot end its delivery before this returns
     * @return false if so many hang, or it is no worker at work
     */
    boolean replace(Thread hung) {
        Batch taken = delivering.get(hung);
        if (taken == null) {
            return false;
        }
        taken.deliveries().forEach(LeasedDelivery::releaseUnlessBegun);
        if (replaced.incrementAndGet() > mostReplaced || !taken.left().compareAndSet(false, true)) {
            replaced.decrementAndGet();
            return false;
        }
        delivering.remove(hung, taken);
        work.workerDone();
        return true;
    }

    /** What a thread delivers now; nothing if it is no worker at work. */
    List<LeasedDelivery> batchOf(Thread thread) {
        Batch taken = delivering.get(thread);
        return (taken == null) ? List.of() : taken.deliveries();
    }

    boolean isAtWork(Thread thread) {
        return delivering.containsKey(thread);
    }

    /** @param left whether it no longer counts as a worker's: it has ended, or its worker was replaced */
    private record Batch(List<LeasedDelivery> deliveries, AtomicBoolean left) {}

    /** Runs a step on the worker that leaves no other at work, each time from now on. */
    void whenAllHaveEnded(Runnable step) {
        whenAllEnded = step;
    }
}
