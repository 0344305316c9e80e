// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.queue.TriggerSettings;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acquired deliveries of one queue that wait, in order, for a worker. Also limits further acquires. Tasks are acquired
 * only for idle workers. At most twice as many tasks are leased as the workers can take, plus those that the
 * destination holds, so slow settling limits acquiring. If tasks are delivered one by one, a worker takes no more tasks
 * than it can probably start soon, and leaves the rest to other processes. Only passes use this class, except where
 * noted.
 */
final class WorkQueue {

    private static final Logger log = LoggerFactory.getLogger(WorkQueue.class);

    /**
     * Maximum number of tasks of an acquire, unless a batch is larger. A larger acquire would delay other queues on the
     * server and gain almost nothing.
     */
    private static final int MOST_AT_ONCE = 200;

    private final int workers;
    private final int batchSize;
    private final int mostLeased;
    private final boolean oneByOne;
    private final HandlingPace pace;
    private final @Nullable Duration gathersFor;
    private final BooleanSupplier timeStandsStill;
    private final ScanLoop loop;
    private final Deque<LeasedDelivery> ready = new ArrayDeque<>();
    private final AtomicInteger busyWorkers = new AtomicInteger();
    private final AtomicInteger leased = new AtomicInteger();
    private int reserved;
    private int leftOut;
    /** The time until which deliveries wait for a fuller batch; 0 if none wait. */
    private long gatherUntil;

    private volatile boolean limits;

    /**
     * @param timeStandsStill whether the clock stands still, as in tests, so that no more tasks become due while
     *     waiting
     * @param loop runs a pass when deliveries become due or capacity becomes free
     */
    WorkQueue(QueueDelivery delivery, BooleanSupplier timeStandsStill, ScanLoop loop) {
        TriggerSettings trigger = delivery.queue().trigger();
        this.workers = trigger.concurrency();
        this.batchSize = trigger.batchSize();
        this.mostLeased = (2 * workers + delivery.destination().batchesAhead()) * batchSize;
        this.pace = new HandlingPace(batchSize);
        this.gathersFor = delivery.destination() instanceof LibraryDestination library ? library.gathersFor() : null;
        this.oneByOne = delivery.destination().deliversOneByOne() && gathersFor == null;
        this.timeStandsStill = timeStandsStill;
        this.loop = loop;
    }

    /** Returns how many tasks may be acquired now: those that idle workers can take, minus reservations. */
    int free() {
        int leasable = mostLeased - leased.get() + leftOut - reserved;
        int unpromised = room() - reserved;
        return Math.max(0, Math.min(Math.max(batchSize, MOST_AT_ONCE), Math.min(unpromised, leasable)));
    }

    /** Returns how many tasks idle workers could take in addition to those that wait. */
    private int room() {
        return idleWorkers() * carried() - ready.size();
    }

    private int carried() {
        return oneByOne ? pace.startable() : batchSize;
    }

    private int idleWorkers() {
        return Math.max(0, workers - busyWorkers.get());
    }

    /** Returns how many workers would start for this number of tasks. Thread-safe. */
    int workersFor(int tasks) {
        return Math.min(idleWorkers(), oneByOne ? tasks : (tasks + batchSize - 1) / batchSize);
    }

    /** Reserves capacity for the tasks of an acquire, until {@link #endReservation}. */
    void reserve(int tasks) {
        reserved += tasks;
    }

    void endReservation(int tasks) {
        reserved -= tasks;
    }

    /**
     * Excludes some leased tasks from the limit, because their servers do not answer. These tasks may stay unsettled
     * for long, and their servers return no further tasks.
     */
    void leaveOut(int tasks) {
        leftOut = tasks;
    }

    /**
     * Makes capacity that becomes free request a pass, until {@link #hadEnough}. A pass calls this before it reads the
     * capacity.
     */
    void watchCapacity() {
        limits = true;
    }

    /** Ends {@link #watchCapacity} after a pass with enough capacity. */
    void hadEnough() {
        limits = false;
    }

    /**
     * Accepts the deliveries of an acquire. Releases all of them if the queue is stopping or anything throws.
     *
     * @param reserved whether capacity was reserved for all; otherwise those without an idle worker are released
     */
    void add(List<LeasedDelivery> deliveries, boolean reserved) {
        int room = reserved ? deliveries.size() : Math.max(0, Math.min(deliveries.size(), room()));
        if (loop.isEnding()) {
            room = 0;
        }
        leased.addAndGet(deliveries.size());
        try {
            ready.addAll(deliveries.subList(0, room));
            deliveries.subList(room, deliveries.size()).forEach(LeasedDelivery::releaseUnlessBegun);
        } catch (Throwable ex) {
            deliveries.forEach(LeasedDelivery::releaseUnlessBegun);
            throw ex;
        }
    }

    void releaseAll() {
        ready.forEach(LeasedDelivery::releaseUnlessBegun);
        ready.clear();
    }

    /**
     * Hands ready deliveries to idle workers, one batch to each. Returns whether no delivery is left that a worker
     * could take.
     */
    boolean handTo(BatchWorkers threads) {
        if (gathersFor != null) {
            ready.removeIf(LeasedDelivery::isEnded); // Released while it waited.
        }
        while (!ready.isEmpty() && idleWorkers() > 0) {
            if (waitsForMore()) {
                return true;
            }
            int size = share(ready.size(), idleWorkers());
            List<LeasedDelivery> batch = new ArrayList<>(size);
            while (batch.size() < size && !(endsBefore(ready.element()) && !batch.isEmpty())) {
                batch.add(ready.remove());
                if (endsBefore(batch.get(0))) {
                    break;
                }
            }
            busyWorkers.incrementAndGet();
            threads.start(batch);
        }
        return ready.isEmpty();
    }

    /**
     * Returns whether a batch ends before this delivery. A suspect is delivered alone, because its handler may kill the
     * process.
     */
    private boolean endsBefore(LeasedDelivery delivery) {
        return gathersFor != null && delivery.isSuspect();
    }

    /** Returns whether to wait for a fuller batch. If so, a pass follows at the end of the wait. */
    private boolean waitsForMore() {
        Duration wait = gathersFor;
        if (wait == null
                || wait.isZero()
                || ready.size() >= batchSize
                || endsBefore(ready.element())
                || timeStandsStill.getAsBoolean()) {
            gatherUntil = 0;
            return false;
        }
        long now = System.nanoTime();
        Duration slack = gatherUntil == 0 ? wait : Duration.ofNanos(gatherUntil - now);
        for (LeasedDelivery delivery : ready) {
            slack = delivery.slack(slack);
        }
        gatherUntil = now + slack.toNanos();
        boolean waits = now - gatherUntil < 0
                && Guard.run(
                        log,
                        "Could not schedule the wait for a fuller batch; delivering the batch now",
                        () -> loop.comeBackAt(gatherUntil));
        gatherUntil = waits ? gatherUntil : 0;
        return waits;
    }

    /**
     * Returns how many of these deliveries one worker takes. No delivery may wait behind another one of its batch while
     * a worker is idle.
     */
    private int share(int deliveries, int idleWorkers) {
        int most = Math.min(deliveries, carried());
        return oneByOne ? Math.min(most, (deliveries + idleWorkers - 1) / idleWorkers) : most;
    }

    /** Records how long a worker took for the started deliveries of a batch. Thread-safe. */
    void took(int deliveries, long nanos) {
        if (oneByOne && deliveries > 0) {
            pace.took(deliveries, nanos);
        }
    }

    /** Records that a worker with a batch is idle again. Thread-safe. */
    void workerDone() {
        busyWorkers.decrementAndGet();
        freed();
    }

    /** Records that the lease of a task has ended. Thread-safe. */
    void taskDone() {
        int left = leased.decrementAndGet();
        if (left == 0 || left % batchSize == 0) {
            freed();
        }
    }

    /**
     * Signals on another thread, because the application may be waiting for this one and the worker becomes idle only
     * after this call.
     */
    private void freed() {
        if (limits || loop.isEnding()) {
            loop.signalElsewhere();
        }
    }

    /** Returns whether no more than these workers and tasks are left. Thread-safe. */
    boolean isIdleBut(int workersAtWork, int tasks) {
        return leased.get() <= tasks && busyWorkers.get() <= workersAtWork;
    }
}
