// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.engine;

import io.delayqueue.store.TaskStore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How much more a trigger may take: a batch only when a worker is idle, and no more tasks under lease than twice what the
 * workers hold, so that slow settling holds acquiring back.
 */
final class Capacity {

    private final int workers;
    private final int batchSize;
    private final Runnable onFreed;
    private final AtomicInteger busyWorkers = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();

    Capacity(int workers, int batchSize, Runnable onFreed) {
        this.workers = workers;
        this.batchSize = batchSize;
        this.onFreed = onFreed;
    }

    /** How many tasks may be acquired now: what idle workers carry. Only the poller takes, so the answer holds until it does. */
    int free() {
        int leasable = Math.max(0, 2 * workers * batchSize - inFlight.get());
        return Math.min(TaskStore.MAX_BATCH, Math.min(idleWorkers() * batchSize, leasable));
    }

    /** How many workers could take a batch now. */
    int idleWorkers() {
        return Math.max(0, workers - busyWorkers.get());
    }

    void take(int tasks) {
        inFlight.addAndGet(tasks);
    }

    void startWorker() {
        busyWorkers.incrementAndGet();
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

    boolean isIdle() {
        return inFlight.get() == 0 && busyWorkers.get() == 0;
    }
}
