// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.store.WakeSignals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A queue that this process scans, from {@link Engine#start} until {@link #stop}. */
public final class RunningQueue {

    private static final Logger log = LoggerFactory.getLogger(RunningQueue.class);
    private static final Duration INTERRUPT_PATIENCE = Duration.ofMillis(500);

    private final QueueSettings queue;
    private final QueueDelivery delivery;
    private final EngineParts engine;
    private final Poller poller;
    private final Set<RunningQueue> unended;
    private final List<Runnable> atStop = new ArrayList<>();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private volatile Scheduler.Scheduled renewal = () -> {};

    /**
     * @param workerThreads runs each batch at once
     * @param unended contains this queue from its start until its deliveries have ended or a stop has interrupted them
     */
    RunningQueue(QueueDelivery delivery, EngineParts engine, Executor workerThreads, Set<RunningQueue> unended) {
        this.queue = delivery.queue();
        this.delivery = delivery;
        this.engine = engine;
        this.poller = new Poller(delivery, engine, workerThreads);
        this.unended = unended;
    }

    void atStop(Runnable step) {
        atStop.add(step);
    }

    /** Starts scanning. Call {@link #abandon} if this throws. */
    void start(WakeSignals wakeSignals) {
        unended.add(this);
        engine.threads().start();
        renewal = engine.renew(delivery, poller.active(), LibraryDestination.gathersFor(delivery.destination()));
        poller.start(wakeSignals);
    }

    int workers() {
        return queue.trigger().concurrency();
    }

    int busyWorkers() {
        return poller.workers().busy();
    }

    /** Undoes a failed start. */
    void abandon() {
        Thread starter = Thread.currentThread();
        poller.stop();
        endWatching();
        poller.workers().interruptAllBut(starter);
        close(starter);
    }

    private void endWatching() {
        atStop.forEach(step -> Guard.run(log, "Could not stop some scans of a queue", step));
    }

    /** Returns whether a stop has begun, and all deliveries have ended or a stop has interrupted them. */
    public boolean hasEnded() {
        return stopping.get() && !unended.contains(this);
    }

    /** Stops acquiring. Does not block. */
    public void stopAcquiring() {
        poller.stop();
    }

    /**
     * Stops acquiring at once and releases deliveries that have not started. Waits for running deliveries up to the
     * shutdown time-out or until the calling thread is interrupted, then interrupts them and releases those that still
     * do not end. Blocks, even if another stop has begun.
     *
     * @param beganNanos when the wait has begun, by {@link System#nanoTime()}
     * @param stopper the stopping thread; if it runs a delivery, that one is neither awaited nor interrupted, because
     *     it cannot continue before this method returns; it awaits others only if it is the first to stop this queue
     * @return whether no further stop is necessary; {@code false} if the stopper's delivery continues
     */
    public boolean stop(Thread stopper, long beganNanos) {
        boolean own = poller.workers().isAtWork(stopper);
        boolean first = stopping.compareAndSet(false, true);
        if (own && !first) {
            return false;
        }
        stopAcquiring();
        if (first) {
            endWatching();
        }
        AtomicBoolean interrupted = new AtomicBoolean();
        Duration timeout = queue.trigger().shutdownTimeout().minusNanos(System.nanoTime() - beganNanos);
        boolean idle = awaitIdle(stopper, timeout.isNegative() ? Duration.ZERO : timeout, interrupted);
        if (!idle) {
            // From now on, a failure may be caused by the interrupt and not by the task.
            activeBut(stopper).forEach(LeasedDelivery::interrupted);
            poller.workers().interruptAllBut(stopper);
            idle = awaitIdle(stopper, INTERRUPT_PATIENCE, interrupted);
        }
        List<LeasedDelivery> hanging = idle ? List.of() : activeBut(stopper);
        if (!idle) {
            hanging.forEach(RunningQueue::giveBack);
            awaitIdle(stopper, INTERRUPT_PATIENCE, interrupted);
        }
        poller.workers().interruptAllBut(stopper);
        close(stopper);
        if (interrupted.get()) {
            Thread.currentThread().interrupt();
        }
        if (!hanging.isEmpty()) {
            log.warn(
                    "Queue '{}': trigger stopped, but {} deliveries were still running after {} ms; "
                            + "their tasks were released and are due again",
                    queue.name(),
                    hanging.size(),
                    Duration.ofNanos(System.nanoTime() - beganNanos).toMillis());
        } else if (first) {
            log.info("Queue '{}': trigger stopped", queue.name());
        }
        return !own;
    }

    /**
     * Replaces a worker whose delivery hangs.
     *
     * @param hung the thread of the worker; its delivery must not end before this method returns
     * @return {@code false} if too many hang, or the thread is not a worker of this queue
     */
    public boolean replaceWorker(Thread hung) {
        return poller.workers().replace(hung);
    }

    private boolean awaitIdle(Thread stopper, Duration timeout, AtomicBoolean interrupted) {
        List<LeasedDelivery> own = poller.workers().batchOf(stopper);
        try {
            return poller.awaitIdleBut(own.isEmpty() ? 0 : 1, () -> unended(own), timeout);
        } catch (InterruptedException ex) {
            interrupted.set(true);
            return false;
        }
    }

    private static int unended(List<LeasedDelivery> deliveries) {
        return (int) deliveries.stream().filter(delivery -> !delivery.isEnded()).count();
    }

    private List<LeasedDelivery> activeBut(Thread stopper) {
        List<LeasedDelivery> active = new ArrayList<>(poller.active());
        active.removeAll(poller.workers().batchOf(stopper));
        return active;
    }

    /** Makes the task due at once, although the delivery may still be running. */
    private static void giveBack(LeasedDelivery delivery) {
        if (!delivery.releaseUnlessBegun()) {
            delivery.breakOff("interrupted by a shutdown");
        }
    }

    /** Ends lease renewal once the stopper's own delivery has ended. */
    private void close(Thread stopper) {
        poller.close();
        poller.workers().whenAllHaveEnded(this::ended);
        if (!poller.workers().isAtWork(stopper)) {
            ended();
        }
    }

    private void ended() {
        renewal.cancel();
        unended.remove(this);
    }
}
