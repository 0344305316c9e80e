// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How much more a trigger may take: a batch only when a worker is idle, and no more tasks under lease than twice what
 * the workers hold and what the destination holds beside them, so that slow settling holds acquiring back. Only the
 * poller reserves, takes and starts workers; the rest may be told by any thread.
 */
final class Capacity {

    /** More in one call would have the other queues of the server wait for it longer, and gains next to nothing. */
    private static final int MOST_AT_ONCE = 200;

    private final int workers;
    private final int batchSize;
    private final int mostAtOnce;
    private final int mostLeased;
    private final Runnable onFreed;
    private final AtomicInteger busyWorkers = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private int reserved;
    private int waiting;
    private int leftOut;

    /** @param batchesAhead how many the destination holds when no worker is at them any more */
    Capacity(int workers, int batchSize, int batchesAhead, Runnable onFreed) {
        this.workers = workers;
        this.batchSize = batchSize;
        this.mostAtOnce = Math.max(batchSize, MOST_AT_ONCE);
        this.mostLeased = (2 * workers + batchesAhead) * batchSize;
        this.onFreed = onFreed;
    }

    /** How many tasks may be asked for now: what idle workers carry and nobody else was promised. */
    int free() {
        int leasable = mostLeased - inFlight.get() + leftOut - reserved;
        int carried = idleWorkers() * batchSize - waiting - reserved;
        return Math.max(0, Math.min(mostAtOnce, Math.min(carried, leasable)));
    }

    /**
     * So many of the tasks under lease do not count, for now: they are of servers that do not answer, so that they may
     * not be settled for long and no more come from there.
     */
    void leaveOut(int tasks) {
        leftOut = tasks;
    }

    /** For how many tasks that come unexpectedly a worker is idle, or will be at once. */
    int room() {
        return Math.max(0, idleWorkers() * batchSize - waiting);
    }

    /** How many workers could take a batch now. */
    int idleWorkers() {
        return Math.max(0, workers - busyWorkers.get());
    }

    /** Asks for tasks: they are counted until {@link #take} says how many came. */
    void reserve(int limit) {
        reserved += limit;
    }

    /** So many of those asked for came, and wait for a worker. */
    void take(int limit, int tasks) {
        reserved -= limit;
        waiting += tasks;
        inFlight.addAndGet(tasks);
    }

    /** So many of those that wait are handed to a worker. */
    void startWorker(int tasks) {
        waiting -= tasks;
        busyWorkers.incrementAndGet();
    }

    /** So many of those that wait need no worker now. */
    void putOff(int tasks) {
        waiting -= tasks;
    }

    /** So many wait for a worker, whatever was said before. */
    void waiting(int tasks) {
        waiting = tasks;
    }

    /** So many of those that were put off wait for a worker now. */
    void bringBack(int tasks) {
        waiting += tasks;
    }

    void endWorker() {
        busyWorkers.decrementAndGet();
        onFreed.run();
    }

    void taskDone() {
        int left = inFlight.decrementAndGet();
        if (left == 0 || left % batchSize == 0) {
            onFreed.run();
        }
    }

    /** Whether nothing is under way but these. */
    boolean isIdleBut(int workersAtWork, int tasks) {
        return inFlight.get() <= tasks && busyWorkers.get() <= workersAtWork;
    }
}
