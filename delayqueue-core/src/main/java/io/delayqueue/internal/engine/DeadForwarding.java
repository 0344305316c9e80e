// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.TaskContent;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.calls.StoreAnswers;
import io.delayqueue.internal.engine.LeasedDelivery.AcquiredAt;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.sharding.WorkClaim;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Page;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Position;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Hands the dead tasks of a queue to a destination. A task that the destination acknowledges is discarded; otherwise it
 * stays dead and is handed over again in the next run. One process at a time does this for a queue. Another process
 * takes over if that one no longer runs or cannot reach its destination. A task is handed over at least once: again if
 * the process dies before it discards the task, or pauses for so long that another process takes over. Dead tasks have
 * no lease, so the token of their deliveries is 0. Not thread-safe.
 */
public final class DeadForwarding {

    /** The reason why the task died, a header of the delivery. */
    public static final String REASON_HEADER = "dq-dead-reason";

    /** The number of failed attempts, a header of the delivery. */
    public static final String FAILURES_HEADER = "dq-failures";

    /** The number of expired leases, a header of the delivery. */
    public static final String EXPIRIES_HEADER = "dq-lease-expiries";

    private static final int PAGE = 200;
    private static final int MAX_BYTES = 4 * 1024 * 1024;
    private static final Duration TIME = Duration.ofMinutes(10);

    private final QueueSettings queue;
    private final TaskStore store;
    private final Shardings shardings;
    private final TaskDestination destination;
    private final WorkClaim claim;
    private boolean leftSome;
    private boolean ended;

    /** @param destination must settle all deliveries before its {@code deliver} returns */
    DeadForwarding(QueueSettings queue, EngineParts engine, TaskDestination destination, WorkClaim claim) {
        this.queue = queue;
        this.shardings = engine.shardings();
        this.store = engine.store();
        this.destination = destination;
        this.claim = claim;
    }

    /**
     * Processes the dead tasks once, on the calling thread, unless another process does.
     *
     * @return number of tasks that were handed over and discarded
     * @throws io.delayqueue.TaskStoreException if Redis did not answer
     */
    public int run() {
        leftSome = false;
        ended = false;
        int forwarded = 0;
        int shards = shardings.of(queue.name()).span();
        for (int shard = 0; shard < shards; shard++) {
            if (!mayGoOn()) {
                return forwarded;
            }
            forwarded += run(new Shard(queue.name(), shard));
        }
        ended = true;
        return forwarded;
    }

    /** Returns whether this process made the last run and the destination acknowledged every task. */
    public boolean leftNothing() {
        return ended && !leftSome;
    }

    /**
     * Keeps the claim without a run, unless this process's destination accepts nothing.
     *
     * @throws io.delayqueue.TaskStoreException if Redis did not answer
     */
    public void stay() {
        mayGoOn();
    }

    /** Returns whether the last run left a task that the destination did not acknowledge. */
    public boolean leftSome() {
        return leftSome;
    }

    /** Ends forwarding: another process may take over at once. */
    public void end() {
        claim.giveUp();
    }

    /**
     * Releases the claim if the destination accepts nothing, so that a process whose destination works can take over.
     */
    private boolean mayGoOn() {
        if (Thread.currentThread().isInterrupted()) {
            return false;
        }
        if (destination.unavailableFor().isZero()) {
            return claim.isHeld();
        }
        claim.giveUp();
        return false;
    }

    private int run(Shard shard) {
        int forwarded = 0;
        PageRequest request = PageRequest.dead(PAGE).withContent(MAX_BYTES);
        Position next = request.after();
        while (next != null && mayGoOn()) {
            Page page = StoreAnswers.await(store.shards().page(shard, request.after(next)));
            next = page.next();
            forwarded += forward(shard, page.tasks());
        }
        return forwarded;
    }

    /**
     * Forwards a batch of dead tasks. A task that cannot become a message may end the batch; the tasks released with it
     * are sent in the next batch. The task stays dead and is retried in each run, so it must not block the tasks after
     * it. Acknowledged tasks are discarded before any other call to Redis, whose failure must not cause duplicates. A
     * task that was stored and died under the same id in the meantime is a different task and stays.
     */
    private int forward(Shard shard, List<StoredTask> dead) {
        int forwarded = 0;
        List<StoredTask> left = dead;
        do {
            Outcomes outcomes = deliverBatch(shard, left);
            List<Position> acknowledged = left.stream()
                    .filter(task -> outcomes.acknowledged.contains(task.id()))
                    .map(DeadForwarding::death)
                    .toList();
            if (!acknowledged.isEmpty()) {
                StoreAnswers.await(store.dead().discardDeaths(shard, ShardingVersion.NONE, acknowledged));
                forwarded += acknowledged.size();
            }
            leftSome |= !outcomes.failed.isEmpty();
            left = outcomes.failed.isEmpty()
                    ? List.of()
                    : left.stream()
                            .filter(task -> outcomes.released.contains(task.id()))
                            .toList();
        } while (!left.isEmpty() && mayGoOn());
        return forwarded;
    }

    private static Position death(StoredTask dead) {
        return new Position(dead.nextAttentionAt(), dead.id());
    }

    private Outcomes deliverBatch(Shard shard, List<StoredTask> dead) {
        Outcomes outcomes = new Outcomes();
        AcquiredAt now = new AcquiredAt(store.clock().now().toEpochMilli() * 1000, System.nanoTime(), store.clock());
        List<LeasedDelivery> deliveries = new ArrayList<>(dead.size());
        for (StoredTask task : dead) {
            if (task.content() != null) {
                AcquiredTask again = new AcquiredTask(
                        task.id(),
                        task.taskKey(),
                        task.dueAt(),
                        task.failures(),
                        task.leaseExpiries(),
                        withReason(task, task.content()));
                Lease time = new Lease(0, System.nanoTime() + TIME.toNanos());
                deliveries.add(new LeasedDelivery(shard, again, time, now, queue, outcomes));
            }
        }
        if (!deliveries.isEmpty()) {
            destination.deliver(List.copyOf(deliveries));
        }
        return outcomes;
    }

    private static TaskContent withReason(StoredTask task, TaskContent content) {
        Map<String, String> headers = new LinkedHashMap<>(content.headers());
        headers.put(REASON_HEADER, task.lastReason() == null ? "" : task.lastReason());
        headers.put(FAILURES_HEADER, Integer.toString(task.failures()));
        headers.put(EXPIRIES_HEADER, Integer.toString(task.leaseExpiries()));
        return new TaskContent(content.contentType(), headers, content.payload());
    }

    /** Records which tasks were acknowledged. The other tasks stay dead. */
    private static final class Outcomes implements DeliveryOutcomes {

        private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        private final Queue<String> failed = new ConcurrentLinkedQueue<>();
        private final Set<String> released = ConcurrentHashMap.newKeySet();

        @Override
        public void settled(LeasedDelivery delivery, Settlement settlement) {
            Collection<String> outcome = switch (settlement.verb()) {
                case ACK -> acknowledged;
                case RELEASE -> released;
                default -> failed;
            };
            outcome.add(delivery.id());
        }

        @Override
        public boolean renew(LeasedDelivery delivery, Duration atLeast) {
            return true;
        }
    }
}
