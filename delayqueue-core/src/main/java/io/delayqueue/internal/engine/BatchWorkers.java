// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.queue.TriggerSettings;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of one queue. Each worker delivers one batch on a pooled thread, and renames the thread until the batch
 * ends. If the destination throws, the deliveries without an outcome fail. The poller limits the number of workers.
 */
final class BatchWorkers {

    private static final Logger log = LoggerFactory.getLogger(BatchWorkers.class);

    private final String queue;
    private final String threadNamePrefix;
    private final Handover handover;
    private final Executor threads;
    private final WorkQueue work;
    private final int mostReplaced;
    private final AtomicInteger replaced = new AtomicInteger();
    private final Map<Thread, Batch> batches = new ConcurrentHashMap<>();
    private final BitSet numbers = new BitSet();
    private volatile boolean stopped;
    private volatile Runnable whenAllEnded = () -> {};

    /** @param threads runs each batch at once, without a queue */
    BatchWorkers(QueueDelivery delivery, Handover handover, Executor threads, WorkQueue work) {
        TriggerSettings trigger = delivery.queue().trigger();
        this.queue = delivery.queue().name();
        this.threadNamePrefix = Objects.requireNonNullElse(trigger.threadNamePrefix(), "delayqueue-" + queue + "-");
        this.mostReplaced = trigger.concurrency();
        this.handover = handover;
        this.threads = threads;
        this.work = work;
    }

    /**
     * Starts a worker, which the caller has already counted as busy. Releases the batch if no thread can be created.
     */
    void start(List<LeasedDelivery> batch) {
        try {
            if (stopped) {
                throw new RejectedExecutionException("the trigger has stopped");
            }
            threads.execute(new Batch(batch));
        } catch (Throwable ex) {
            work.workerDone();
            batch.forEach(delivery -> delivery.settle(Outcome.released()));
            if (!(ex instanceof RejectedExecutionException)) {
                throw ex;
            }
        }
    }

    int busy() {
        return batches.size();
    }

    /** Starts no more batches and interrupts the workers, except the one on this thread. */
    void interruptAllBut(Thread stopper) {
        stopped = true;
        batches.values().forEach(batch -> batch.interruptUnlessOn(stopper));
    }

    /**
     * Releases the unstarted deliveries of a worker whose delivery hangs, and lets another worker take its place. The
     * number of hanging replaced workers is limited to the number of the queue's workers. Thread-safe; does not block.
     *
     * @param hung the thread of the worker; its delivery must not end before this method returns
     * @return {@code false} if too many hang, or the thread is not delivering
     */
    boolean replace(Thread hung) {
        Batch batch = batches.get(hung);
        if (batch == null || batch.left.get()) {
            return false;
        }
        batch.deliveries.forEach(LeasedDelivery::releaseUnlessBegun);
        if (replaced.incrementAndGet() > mostReplaced || !batch.left.compareAndSet(false, true)) {
            replaced.decrementAndGet();
            return false;
        }
        work.workerDone();
        return true;
    }

    /** Returns the current batch of a thread; empty if it is not a busy worker. */
    List<LeasedDelivery> batchOf(Thread thread) {
        Batch batch = batches.get(thread);
        return (batch == null || batch.left.get()) ? List.of() : batch.deliveries;
    }

    boolean isAtWork(Thread thread) {
        return !batchOf(thread).isEmpty();
    }

    /** Runs an action whenever the last busy worker becomes idle. */
    void whenAllHaveEnded(Runnable step) {
        whenAllEnded = step;
    }

    private void ended(Batch batch) {
        if (batch.left.compareAndSet(false, true)) {
            work.workerDone();
        } else {
            replaced.decrementAndGet();
            Guard.tell(() -> log.info("Queue '{}': a replaced worker that had hung has ended", queue));
        }
        if (batches.values().stream().allMatch(other -> other.left.get())) {
            whenAllEnded.run();
        }
    }

    /** A batch on its thread. */
    private final class Batch implements Runnable {

        private final List<LeasedDelivery> deliveries;
        /** Whether the batch has ended or its worker was replaced. */
        private final AtomicBoolean left = new AtomicBoolean();

        private Thread thread = Thread.currentThread();
        private int number;
        private boolean ended;

        Batch(List<LeasedDelivery> deliveries) {
            this.deliveries = deliveries;
        }

        @Override
        public void run() {
            String ownName = Thread.currentThread().getName();
            Guard.run(log, "A worker could not prepare its thread; it delivers anyway", this::begin);
            long start = System.nanoTime();
            try {
                handover.deliver(deliveries);
            } catch (Throwable ex) {
                failed(ex);
            } finally {
                int begun = (int)
                        deliveries.stream().filter(LeasedDelivery::hasBegun).count();
                work.took(begun, System.nanoTime() - start);
                end(ownName);
                ended(this);
            }
        }

        private void failed(Throwable error) {
            Guard.tell(() -> log.error(
                    "Queue '{}': the destination threw an exception; the deliveries that it had not settled fail",
                    queue,
                    error));
            deliveries.forEach(delivery ->
                    Guard.run(log, "Could not settle a delivery", () -> delivery.failUnlessReleased(error)));
        }

        private synchronized void begin() {
            thread = Thread.currentThread();
            batches.put(thread, this);
            if (stopped) {
                thread.interrupt();
            }
            synchronized (numbers) {
                number = numbers.nextClearBit(1);
                numbers.set(number);
            }
            thread.setName(threadNamePrefix + number);
        }

        /** Marks the end of the batch. The thread may now run other batches, so it must not be interrupted any more. */
        private synchronized void end(String threadName) {
            ended = true;
            batches.remove(thread, this);
            Thread.interrupted();
            if (number > 0) {
                Thread.currentThread().setName(threadName);
                synchronized (numbers) {
                    numbers.clear(number);
                }
            }
        }

        synchronized void interruptUnlessOn(Thread stopper) {
            if (!ended && thread != stopper) {
                thread.interrupt();
            }
        }
    }
}
