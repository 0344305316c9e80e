// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.TaskContent;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.calls.StoreAnswers;
import io.delayqueue.internal.engine.LeasedDelivery.AcquiredAt;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.sharding.WorkClaim;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Page;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Position;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoredTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Hands the dead tasks of a queue to a destination, except quarantined ones. Discards a task once the destination
 * acknowledges it; otherwise the task stays dead until the next run hands it over again. One process at a time forwards
 * the tasks of a queue. Another process takes over if the first one stops running or cannot reach its destination. A
 * task is handed over at least once. It is handed over again if the process dies before it discards the task, or pauses
 * so long that another process takes over. Dead tasks have no lease, so the token of their deliveries is 0. Not
 * thread-safe.
 */
public final class DeadForwarding {

    /** Header of the delivery: the reason why the task died. */
    public static final String REASON_HEADER = "dq-dead-reason";

    /** Header of the delivery: the number of failed attempts. */
    public static final String FAILURES_HEADER = "dq-failures";

    /** Header of the delivery: the number of expired leases. */
    public static final String EXPIRIES_HEADER = "dq-lease-expiries";

    private static final int PAGE = 200;
    private static final int MAX_BYTES = 4 * 1024 * 1024;
    private static final Duration TIME = Duration.ofMinutes(10);

    private final QueueSettings queue;
    private final EngineParts engine;
    private final TaskDestination destination;
    private final WorkClaim claim;
    private int forwarded;
    private boolean leftSome;
    private boolean ended;

    /** @param destination destination that settles all deliveries before its {@code deliver} returns */
    DeadForwarding(QueueSettings queue, EngineParts engine, TaskDestination destination, WorkClaim claim) {
        this.queue = queue;
        this.engine = engine;
        this.destination = destination;
        this.claim = claim;
    }

    /**
     * Forwards the dead tasks once, on the calling thread, unless another process has the claim. Ends early when the
     * number of shards changes. If a shard fails, continues with the others.
     *
     * @return number of tasks that were handed over and discarded
     * @throws io.delayqueue.TaskStoreException if Redis did not answer for a shard
     */
    public int run() {
        forwarded = 0;
        leftSome = false;
        ended = false;
        int shards =
                StoreAnswers.await(engine.shardings().refresh(queue.name())).span();
        ended = DeadTrimmer.inEachShard(queue.name(), shards, this::mayGoOn, this::run);
        return forwarded;
    }

    /** Returns the number of tasks that the last run handed over and discarded, even if it failed. */
    public int forwarded() {
        return forwarded;
    }

    /** Returns whether this process did the last run and the destination acknowledged every task. */
    public boolean leftNothing() {
        return ended && !leftSome;
    }

    /**
     * Keeps the claim without a run. Releases it if the destination of this process accepts no tasks.
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

    /** Ends forwarding, so that another process may take over at once. */
    public void end() {
        claim.giveUp();
    }

    /**
     * Releases the claim if the destination accepts no tasks, so that another process with a working destination can
     * take over.
     */
    private boolean mayGoOn() {
        if (Thread.currentThread().isInterrupted()) {
            return false;
        }
        if (destination.unavailableFor().isZero()) {
            // A migrating task may be in two shards, and cannot be discarded.
            return claim.isHeld() && !engine.shardings().of(queue.name()).isMigrating();
        }
        claim.giveUp();
        return false;
    }

    private void run(Shard shard) {
        PageRequest request = PageRequest.droppable(PAGE).withContent(MAX_BYTES);
        Position next = request.after();
        while (next != null && mayGoOn()) {
            Page page = StoreAnswers.await(engine.store().shards().page(shard, request.after(next)));
            next = page.next();
            forward(shard, page.tasks());
        }
    }

    /**
     * Forwards a batch of dead tasks. A task that cannot become a message may end its batch. It stays dead and is
     * retried in each run; the tasks released with it are sent in the next batch, so it does not block them.
     * Acknowledged tasks are discarded before any other call to Redis, because a failure of that call would cause
     * duplicates. If a new task with the same id has died in the meantime, it stays.
     */
    private void forward(Shard shard, List<StoredTask> dead) {
        List<StoredTask> left = dead;
        do {
            Outcomes outcomes = deliverBatch(shard, left);
            List<Position> acknowledged = outcomes.having(Settlement.Verb.ACK, left).stream()
                    .map(task -> new Position(task.nextAttentionAt(), task.id()))
                    .toList();
            if (!acknowledged.isEmpty()) {
                forwarded += Collections.frequency(
                        StoreAnswers.await(
                                engine.store().dead().discardDeaths(shard, ShardingVersion.NONE, acknowledged)),
                        true);
            }
            leftSome |= outcomes.anyFailed();
            left = outcomes.anyFailed() ? outcomes.having(Settlement.Verb.RELEASE, left) : List.of();
        } while (!left.isEmpty() && mayGoOn());
    }

    private Outcomes deliverBatch(Shard shard, List<StoredTask> dead) {
        Outcomes outcomes = new Outcomes(new ConcurrentHashMap<>());
        AcquiredAt now = new AcquiredAt(
                engine.store().clock().now().toEpochMilli() * 1000,
                System.nanoTime(),
                engine.store().clock());
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

    /** Records how tasks were settled. Those that were not acknowledged stay dead. */
    private record Outcomes(Map<String, Settlement.Verb> verbs) implements DeliveryOutcomes {

        boolean anyFailed() {
            return verbs.values().stream()
                    .anyMatch(verb -> verb != Settlement.Verb.ACK && verb != Settlement.Verb.RELEASE);
        }

        List<StoredTask> having(Settlement.Verb verb, List<StoredTask> tasks) {
            return tasks.stream().filter(task -> verbs.get(task.id()) == verb).toList();
        }

        @Override
        public void settled(LeasedDelivery delivery, Settlement settlement, @Nullable Duration closesKeyFor) {
            verbs.put(delivery.id(), settlement.verb());
        }

        @Override
        public boolean renew(LeasedDelivery delivery, Duration atLeast) {
            return true;
        }
    }
}
