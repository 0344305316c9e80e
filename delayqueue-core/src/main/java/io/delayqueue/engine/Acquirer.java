// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.engine;

import io.delayqueue.queue.QueueSettings;
import io.delayqueue.store.AcquireRequest;
import io.delayqueue.store.AcquiredTask;
import io.delayqueue.store.Acquisition;
import io.delayqueue.store.LeaseRef;
import io.delayqueue.store.Settlement;
import io.delayqueue.store.Shard;
import io.delayqueue.store.TaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Acquires due tasks of a queue and makes deliveries of them whose outcomes go to the settler. */
final class Acquirer {

    private static final Logger log = LoggerFactory.getLogger(Acquirer.class);
    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private final QueueSettings queue;
    private final TaskStore store;
    private final Settler settler;

    Acquirer(QueueSettings queue, TaskStore store, Settler settler) {
        this.queue = queue;
        this.store = store;
        this.settler = settler;
    }

    /**
     * Acquires and waits for the answer.
     *
     * @param taskDone run once for every delivery returned when its lease has ended
     * @throws io.delayqueue.TaskStoreException if the store did not answer
     */
    Acquired acquire(Shard shard, int limit, Runnable taskDone) {
        long before = System.nanoTime();
        Acquisition acquisition = join(shard, limit);
        long leaseEnd = before + queue.lease().toNanos();
        report(acquisition);
        DeliveryOutcomes outcomes = new ToSettler(taskDone);
        List<Delivery> deliveries = new ArrayList<>(acquisition.tasks().size());
        for (AcquiredTask task : acquisition.tasks()) {
            if (task.content() == null) {
                Settlement bury = Settlement.bury(task.id(), acquisition.token(), false, "envelope unreadable");
                settler.settle(shard, bury, patience(), () -> {});
            } else {
                deliveries.add(new Delivery(shard, task, acquisition.token(), leaseEnd, queue.retry(), outcomes));
            }
        }
        return new Acquired(deliveries, acquisition);
    }

    private Acquisition join(Shard shard, int limit) {
        try {
            return store.acquire(shard, new AcquireRequest(limit, queue.lease(), queue.maxLeaseExpiries(), MAX_BYTES))
                    .join();
        } catch (CompletionException ex) {
            if (ex.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw ex;
        }
    }

    private void report(Acquisition acquisition) {
        Shard shard = acquisition.shard();
        acquisition
                .buried()
                .forEach((id, reason) -> log.error(
                        "Queue '{}', shard {}: task '{}' kept as dead: {}", shard.queue(), shard.index(), id, reason));
        if (!acquisition.newer().isEmpty()) {
            log.warn(
                    "Queue '{}', shard {}: left alone tasks that a newer version of this library stored, as '{}'; they"
                            + " wait for a process of that version",
                    shard.queue(),
                    shard.index(),
                    acquisition.newer().get(0));
        }
    }

    private Duration patience() {
        return queue.lease().multipliedBy(2);
    }

    private final class ToSettler implements DeliveryOutcomes {

        private final Runnable taskDone;

        ToSettler(Runnable taskDone) {
            this.taskDone = taskDone;
        }

        @Override
        public void settled(Delivery delivery, Settlement settlement) {
            settler.settle(delivery.shard(), settlement, patience(), taskDone);
        }

        @Override
        public void released(Delivery delivery) {
            settler.release(delivery.shard(), new LeaseRef(delivery.id(), delivery.token()), taskDone);
        }
    }

    /**
     * What one acquire brought.
     *
     * @param deliveries to be handed to the destination
     * @param acquisition the store's answer
     */
    record Acquired(List<Delivery> deliveries, Acquisition acquisition) {}
}
