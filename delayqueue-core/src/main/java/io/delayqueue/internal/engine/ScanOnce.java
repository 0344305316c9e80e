// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.TaskStoreException;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.Acquirer.Acquired;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** A single scan on the calling thread with a limited number of tasks, for queues that a scheduler scans. */
record ScanOnce(QueueDelivery delivery, EngineParts engine, Handover handover, Acquirer acquirer) {

    static final int MAX_LIMIT = 1000;

    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    ScanOnce(QueueDelivery delivery, EngineParts engine) {
        this(delivery, engine, new Handover(delivery, engine.gate(delivery.queue())), new Acquirer(delivery, engine));
    }

    /**
     * Acquires due tasks of all shards until none are left or {@code limit} is reached, and delivers them on this
     * thread. Returns when they are settled or their leases have expired.
     *
     * @return number of acquired tasks; less than {@code limit} only if no more were due
     * @throws TaskStoreException if a shard could not be read; the tasks of the other shards have been delivered
     */
    int run(int limit) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit must be between 1 and " + MAX_LIMIT + ", but was " + limit);
        }
        if (delivery.destination().unavailableFor().compareTo(Duration.ZERO) > 0) {
            return 0;
        }
        Phaser unsettled = new Phaser(1);
        int taken = 0;
        TaskStoreException failure = null;
        Set<ServerWatch> away = new HashSet<>();
        Scheduler.Scheduled renewal = engine.renew(delivery, acquirer.active(), null);
        try {
            int shards = engine.shardings().of(delivery.queue().name()).span();
            for (int index = 0; index < shards && taken < limit; index++) {
                try {
                    taken += drain(new Shard(delivery.queue().name(), index), limit - taken, unsettled, away);
                } catch (TaskStoreException ex) {
                    failure = (failure == null) ? ex : failure;
                }
            }
        } finally {
            await(unsettled);
            renewal.cancel();
            releaseLost();
        }
        if (failure != null) {
            throw failure;
        }
        return taken;
    }

    /** @param away servers that did not answer and are not called again; this method may add to them */
    private int drain(Shard shard, int limit, Phaser unsettled, Set<ServerWatch> away) {
        ServerWatch server = engine.servers().of(shard);
        int taken = 0;
        while (taken < limit) {
            ServerWatch first = Objects.requireNonNullElse(acquirer.firstServer(shard), server);
            if (away.contains(server) || away.contains(first)) {
                return taken;
            }
            int batch = Math.min(delivery.queue().trigger().batchSize(), limit - taken);
            Acquired acquired = acquire(shard, batch, unsettled, first, away);
            if (!acquired.deliveries().isEmpty()) {
                deliver(acquired);
            }
            taken += acquired.acquisition().tasks().size();
            Duration untilNext = acquired.acquisition().untilNext();
            if (untilNext == null || !untilNext.isZero()) {
                return taken;
            }
        }
        return taken;
    }

    private Acquired acquire(Shard shard, int limit, Phaser unsettled, ServerWatch first, Set<ServerWatch> away) {
        AtomicReference<ServerWatch> asked = new AtomicReference<>(first);
        Runnable sending = () -> asked.set(engine.servers().of(shard));
        CompletableFuture<Acquired> answer = new CompletableFuture<>();
        acquirer.acquire(shard, limit, true, unsettled::arriveAndDeregister, () -> {}, sending, (came, error) -> {
            if (error != null) {
                answer.completeExceptionally(error);
                return;
            }
            unsettled.bulkRegister(came.deliveries().size());
            if (!answer.complete(came)) {
                came.deliveries().forEach(LeasedDelivery::releaseUnlessBegun);
            }
        });
        try {
            return new BoundedWait(engine.store().callTimeout())
                    .answer(answer, "Queue '" + delivery.queue().name() + "', acquire");
        } catch (TaskStoreException ex) {
            if (!answer.completeExceptionally(ex) && !answer.isCompletedExceptionally()) {
                return answer.join(); // It has just arrived.
            }
            if (ServerWatches.isNoAnswer(ex)) {
                away.add(asked.get());
            }
            throw ex;
        }
    }

    private void deliver(Acquired acquired) {
        try {
            handover.deliver(acquired.deliveries());
        } catch (Throwable ex) {
            acquired.deliveries().forEach(each -> each.failUnlessReleased(ex));
            throw ex;
        }
    }

    /** Waits as long as two calls take, because the next scan may come after the leases of lost replies have expired. */
    private void releaseLost() {
        long end = System.nanoTime() + 2 * engine.store().callTimeout().toNanos();
        while (engine.store().leases().releaseLost(delivery.queue().name())
                && end - System.nanoTime() > 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }

    private void await(Phaser unsettled) {
        int phase = unsettled.arriveAndDeregister();
        try {
            unsettled.awaitAdvanceInterruptibly(phase, delivery.queue().lease().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException ex) {
            // The leases have expired. The next scan acquires the unsettled tasks again.
            return;
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }
}
