// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.TaskContent;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.calls.StoreAnswers;
import io.delayqueue.internal.engine.LeasedDelivery.AcquiredAt;
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
import io.delayqueue.queue.QueueSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Hands the dead tasks of a queue to a destination. One that the destination acknowledges is discarded; whatever else
 * becomes of it, it stays dead and comes again with the next run. Of all processes one does this for a queue, and
 * another one when that has fallen silent, or cannot reach its destination. At least once: a task is handed over again
 * when the process died between the two, or stood still for so long that another one took over. Dead tasks are under no
 * lease, so the deliveries' token is 0. For use by one thread.
 */
public final class DeadForwarding {

    /** Why the task died; a header of what is handed over. */
    public static final String REASON_HEADER = "dq-dead-reason";

    /** How many attempts failed; a header of what is handed over. */
    public static final String FAILURES_HEADER = "dq-failures";

    /** How many leases ran out; a header of what is handed over. */
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

    /** @param destination has called every outcome when its {@code deliver} returns */
    DeadForwarding(QueueSettings queue, EngineParts engine, TaskDestination destination, WorkClaim claim) {
        this.queue = queue;
        this.shardings = engine.shardings();
        this.store = engine.store();
        this.destination = destination;
        this.claim = claim;
    }

    /**
     * Goes once through the dead tasks, on the calling thread, unless another process does.
     *
     * @return how many were handed over and discarded
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

    /** Whether the last run was this process's and left nothing that the destination did not acknowledge. */
    public boolean leftNothing() {
        return ended && !leftSome;
    }

    /**
     * Runs nothing now, and leaves the dead tasks to no other process unless this one's destination takes nothing.
     *
     * @throws io.delayqueue.TaskStoreException if Redis did not answer
     */
    public void stay() {
        mayGoOn();
    }

    /** Whether the last run handed something over that the destination did not acknowledge. */
    public boolean leftSome() {
        return leftSome;
    }

    /** Nothing more is run: another process may go on at once. */
    public void end() {
        claim.giveUp();
    }

    /** A process whose destination takes nothing leaves the dead tasks to those whose does. */
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
     * One that no message can be made of may end its batch: what was released with it goes out in the next. It stays
     * dead and comes again with each run, so it must not keep those behind it from being handed over. What was
     * acknowledged is discarded before anything else is asked of Redis: it must not be handed over again because that
     * failed. A task that was stored under its id meanwhile, and is dead as well, is another one and stays.
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

    /** Remembers what became of each; nothing has to be done for those that were not acknowledged. */
    private static final class Outcomes implements DeliveryOutcomes {

        private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        private final Queue<String> failed = new ConcurrentLinkedQueue<>();
        private final Set<String> released = ConcurrentHashMap.newKeySet();

        @Override
        public void settled(LeasedDelivery delivery, Settlement settlement) {
            (settlement.verb() == Settlement.Verb.ACK ? acknowledged : failed).add(delivery.id());
        }

        @Override
        public void released(LeasedDelivery delivery) {
            released.add(delivery.id());
        }

        @Override
        public boolean renew(LeasedDelivery delivery, Duration atLeast) {
            return true;
        }
    }
}
