// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.concurrent.Seam;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deliveries of one queue that wait for a worker, in the order in which they came. Those of tasks that were
 * acquired before they are due are held back until then. Only passes touch this.
 */
final class ReadyDeliveries {

    private static final Logger log = LoggerFactory.getLogger(ReadyDeliveries.class);

    private final String queue;
    private final int batchSize;
    private final boolean holdsBack;
    private final boolean beginsEach;
    private final Capacity capacity;
    private final Passes passes;
    private final Deque<LeasedDelivery> ready = new ArrayDeque<>();

    /** @param passes take up those that were held back */
    ReadyDeliveries(QueueDelivery delivery, Capacity capacity, Passes passes) {
        this.queue = delivery.queue().name();
        this.batchSize = delivery.queue().trigger().batchSize();
        this.holdsBack = !delivery.queue().trigger().lookAhead().isZero();
        this.beginsEach = delivery.destination().traits().beginsEach();
        this.capacity = capacity;
        this.passes = passes;
    }

    /**
     * Takes over what an acquire brought; if anything is thrown, all of it is released.
     *
     * @param awaited whether room was kept for all; otherwise those for which no worker is idle are released
     */
    void takeOver(List<LeasedDelivery> deliveries, boolean awaited) {
        int room = awaited ? deliveries.size() : Math.min(deliveries.size(), capacity.room());
        capacity.take(0, deliveries.size());
        try {
            if (holdsBack) {
                holdBack(deliveries.subList(0, room));
            } else {
                ready.addAll(deliveries.subList(0, room));
            }
            capacity.putOff(deliveries.size() - room);
            deliveries.subList(room, deliveries.size()).forEach(LeasedDelivery::releaseUnlessBegun);
        } catch (Throwable ex) {
            capacity.waiting(ready.size());
            deliveries.forEach(LeasedDelivery::releaseUnlessBegun);
            throw ex;
        }
    }

    /** Tasks that are not due yet wait in the timing wheel, those of one moment together. */
    private void holdBack(List<LeasedDelivery> deliveries) {
        long now = System.nanoTime();
        int from = 0;
        while (from < deliveries.size()) {
            long dueNanos = deliveries.get(from).dueNanoTime();
            int to = from + 1;
            while (to < deliveries.size() && deliveries.get(to).dueNanoTime() == dueNanos) {
                to++;
            }
            List<LeasedDelivery> together = deliveries.subList(from, to);
            if (dueNanos - now <= 0) {
                ready.addAll(together);
            } else {
                capacity.putOff(together.size());
                bringBackAt(dueNanos, together);
            }
            from = to;
        }
    }

    /** Those for which no moment can be set are due again at once: somebody else may have it. */
    private void bringBackAt(long dueNanos, List<LeasedDelivery> together) {
        try {
            passes.at(dueNanos, () -> {
                capacity.bringBack(together.size());
                ready.addAll(together);
            });
        } catch (Throwable ex) {
            Seam.tell(() -> log.error("Queue '{}': tasks that are due soon are given back", queue, ex));
            together.forEach(LeasedDelivery::releaseUnlessBegun);
        }
    }

    /** Gives back what waits. */
    void releaseAll() {
        ready.forEach(LeasedDelivery::releaseUnlessBegun);
        capacity.putOff(ready.size());
        ready.clear();
    }

    /** Hands what is ready to idle workers, a batch to each. */
    void handTo(BatchWorkers workers) {
        while (!ready.isEmpty() && capacity.idleWorkers() > 0) {
            int size = share(ready.size(), capacity.idleWorkers());
            List<LeasedDelivery> batch = new ArrayList<>(size);
            while (batch.size() < size) {
                batch.add(ready.remove());
            }
            workers.start(batch);
        }
    }

    /**
     * How many deliveries a worker takes. Where they are delivered one after the other, none is to wait behind another
     * while a worker is idle.
     */
    private int share(int deliveries, int idleWorkers) {
        int most = Math.min(deliveries, batchSize);
        return beginsEach ? Math.min(most, (deliveries + idleWorkers - 1) / idleWorkers) : most;
    }
}
