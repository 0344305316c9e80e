// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import static org.awaitility.Awaitility.await;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.DueTime;
import io.delayqueue.TaskStoreException;
import io.delayqueue.delivery.TaskContent;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.RedisTaskStore;
import io.delayqueue.internal.redis.wake.RedisWakeSignals;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.WakeSignals;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Producers and a consumer that go on while servers fail, and a count of what became of each task. Half of the
 * producers wait, after each schedule, until a replica has what the master has ({@code WAIT 1}).
 */
final class FailoverLoad implements AutoCloseable {

    static final int SHARDS = 8;
    /** Beside those of the load, so that its earliest task is the one that was scheduled last. */
    private static final int QUIET_SHARD = SHARDS;

    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration LEASE = Duration.ofSeconds(2);
    /** Between two calls of a producer, so that the servers have time for each other on a small machine. */
    private static final long PACE_NANOS = 300_000;

    /** One of its own, so that no load sees what another left. */
    private final String queue = "load" + UUID.randomUUID().toString().substring(0, 8);

    private final RedisConnections connections;
    private final RedisTaskStore store;
    private final RedisWakeSignals wakeSignals;
    private final Replication replication;
    private final int asked;
    private final List<Thread> producers = new ArrayList<>();
    private final Thread consumer = new Thread(this::consume, "consumer");
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final Set<String> replicated = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> deliveries = new ConcurrentHashMap<>();
    private final Set<String> settled = ConcurrentHashMap.newKeySet();
    private final Set<String> settledButBack = ConcurrentHashMap.newKeySet();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger unknown = new AtomicInteger();
    private final AtomicInteger unreplicated = new AtomicInteger();
    private final AtomicLong longestGapNanos = new AtomicLong();
    private final AtomicInteger signals = new AtomicInteger();
    private final AtomicInteger wakes = new AtomicInteger();
    private final AtomicInteger fullScans = new AtomicInteger();
    private volatile boolean producing = true;
    private volatile boolean consuming = true;

    FailoverLoad(LettuceConnectionFactory application, Replication replication) {
        this(application, replication, 0);
    }

    /** @param asked replicas that each schedule asks for; only what they have counts as acknowledged */
    FailoverLoad(LettuceConnectionFactory application, Replication replication, int asked) {
        this.asked = asked;
        this.connections = RedisConnections.derive(application, TIMEOUT, 10_000);
        RedisKeys keys = new RedisKeys("dq");
        this.store = new RedisTaskStore(connections, keys, TIMEOUT);
        this.wakeSignals = new RedisWakeSignals(connections, keys, RedisWakeSignals.DEFAULT_HEARTBEAT, new Scheduler());
        this.replication = replication;
        wakeSignals.listen(queue, new WakeSignals.Listener() {
            @Override
            public void wake(int shard) {
                if (shard == QUIET_SHARD) {
                    wakes.incrementAndGet();
                }
            }

            @Override
            public void wakeAll() {
                fullScans.incrementAndGet();
            }
        });
        await("the subscription").until(() -> fullScans.get() > 0);
        for (int i = 0; i < 4; i++) {
            int number = i;
            producers.add(new Thread(() -> produce(number, number % 2 == 0), "producer-" + number));
        }
        producers.forEach(Thread::start);
        consumer.start();
    }

    /** A key of the shard, for whoever wants to know where it is. */
    String keyOf(int shard) {
        return "dq:{" + queue + ":" + shard + "}:index";
    }

    /**
     * Waits until so many more tasks were acknowledged and delivered, and every shard answers: all of it works again.
     */
    void awaitRecovery(int tasks, Duration atMost) {
        awaitProgress(tasks, atMost);
        for (int shard = 0; shard < SHARDS; shard++) {
            Shard each = new Shard(queue, shard);
            await(each + " to answer")
                    .atMost(atMost)
                    .ignoreExceptions()
                    .until(() -> store.shards().stats(each).join() != null);
        }
    }

    /** Waits until so many more tasks were acknowledged and delivered. */
    void awaitProgress(int tasks, Duration atMost) {
        int acknowledgedBefore = acknowledged.size();
        int deliveredBefore = deliveries.size();
        await("the load to go on")
                .atMost(atMost)
                .until(() -> acknowledged.size() >= acknowledgedBefore + tasks
                        && deliveries.size() >= deliveredBefore + tasks);
    }

    /**
     * Waits until wake messages are heard again. The load gives few: where a task is overdue, none is sooner.
     */
    void awaitWakes(Duration atMost) {
        int before = wakes.get();
        await("wake messages")
                .atMost(atMost)
                .ignoreExceptionsInstanceOf(TaskStoreException.class)
                .until(() -> {
                    scheduleSoonerThanAllOfTheQuietShard();
                    return wakes.get() > before;
                });
    }

    private void scheduleSoonerThanAllOfTheQuietShard() {
        int number = signals.incrementAndGet();
        NewTask task = task("signal-" + number, Duration.ofHours(1).minusSeconds(number));
        join(store.tasks().schedule(new Shard(queue, QUIET_SHARD), List.of(task)));
    }

    int fullScans() {
        return fullScans.get();
    }

    private void produce(int number, boolean awaitReplica) {
        try (Replication.ReplicaWait replicaWait = awaitReplica ? replication.replicaWait() : null) {
            long lastSuccess = System.nanoTime();
            for (int n = 0; producing; n++) {
                Shard shard = new Shard(queue, n % SHARDS);
                String id = number + "-" + n;
                if (replicaWait != null) {
                    replicaWait.expect(keyOf(shard.index()));
                }
                boolean done = schedule(shard, id);
                if (done) {
                    longestGapNanos.accumulateAndGet(System.nanoTime() - lastSuccess, Math::max);
                    lastSuccess = System.nanoTime();
                    if (replicaWait != null && replicaWait.sawReplicaCatchUp()) {
                        replicated.add(id);
                    }
                }
                LockSupport.parkNanos(PACE_NANOS);
            }
        }
    }

    private NewTask task(String id, Duration delay) {
        byte[] requestId = ByteBuffer.allocate(16)
                .putInt(id.hashCode())
                .putLong(4, ThreadLocalRandom.current().nextLong())
                .array();
        return new NewTask(
                id,
                requestId,
                DueTime.after(delay),
                ConflictPolicy.KEEP,
                new TaskContent("application/json", Map.of(), new byte[200]),
                asked);
    }

    private boolean schedule(Shard shard, String id) {
        NewTask task = task(id, Duration.ofMillis(ThreadLocalRandom.current().nextInt(1500)));
        try {
            if (join(store.tasks().schedule(shard, List.of(task))).get(0).replicas() < asked) {
                unreplicated.incrementAndGet();
                return false;
            }
            acknowledged.add(id);
            return true;
        } catch (TaskStoreException ex) {
            (ex.mayHaveBeenApplied() ? unknown : refused).incrementAndGet();
            return false;
        }
    }

    private static <T> T join(CompletableFuture<T> call) {
        try {
            return call.join();
        } catch (CompletionException ex) {
            if (ex.getCause() instanceof TaskStoreException cause) {
                throw cause;
            }
            throw ex;
        }
    }

    private void consume() {
        while (consuming) {
            for (int shard = 0; shard < SHARDS; shard++) {
                try {
                    deliver(new Shard(queue, shard));
                } catch (TaskStoreException ex) {
                    // what was leased meanwhile comes back when its lease ends
                    LockSupport.parkNanos(PACE_NANOS);
                }
            }
            LockSupport.parkNanos(PACE_NANOS);
        }
    }

    private void deliver(Shard shard) {
        Acquisition acquired =
                join(store.leases().acquire(shard, new AcquireRequest(200, LEASE, Integer.MAX_VALUE, 1 << 20, 200)));
        if (acquired.tasks().isEmpty()) {
            return;
        }
        for (AcquiredTask task : acquired.tasks()) {
            deliveries.merge(task.id(), 1, Integer::sum);
            if (settled.contains(task.id())) {
                settledButBack.add(task.id());
            }
        }
        List<Boolean> ended = join(store.leases()
                .settle(
                        shard,
                        acquired.tasks().stream()
                                .map(task -> Settlement.ack(task.id(), acquired.token()))
                                .toList()));
        for (int i = 0; i < ended.size(); i++) {
            if (ended.get(i)) {
                settled.add(acquired.tasks().get(i).id());
            }
        }
    }

    /** Ends the producers, waits until nothing is left, and counts. */
    Tally finish(Duration atMost) {
        producing = false;
        producers.forEach(FailoverLoad::joinThread);
        await("the drain").atMost(atMost).ignoreExceptions().until(this::isEmpty);
        consuming = false;
        joinThread(consumer);
        Set<String> lost = new HashSet<>(acknowledged);
        lost.removeAll(deliveries.keySet());
        Set<String> lostThoughReplicated = new HashSet<>(replicated);
        lostThoughReplicated.removeAll(deliveries.keySet());
        int twice =
                (int) deliveries.values().stream().filter(times -> times > 1).count();
        return new Tally(
                acknowledged.size(),
                lost.size(),
                replicated.size(),
                lostThoughReplicated.size(),
                refused.get(),
                unknown.get(),
                unreplicated.get(),
                twice,
                settledButBack.size(),
                Duration.ofNanos(longestGapNanos.get()));
    }

    private boolean isEmpty() {
        for (int shard = 0; shard < SHARDS; shard++) {
            var stats = join(store.shards().stats(new Shard(queue, shard)));
            if (stats.live() > 0) {
                return false;
            }
        }
        return true;
    }

    private static void joinThread(Thread thread) {
        try {
            thread.join(20_000);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        producing = false;
        consuming = false;
        producers.forEach(FailoverLoad::joinThread);
        joinThread(consumer);
        wakeSignals.close();
        connections.close();
    }

    /**
     * What became of the tasks.
     *
     * @param acknowledged schedules that succeeded
     * @param lost of those, never delivered
     * @param replicated schedules after which a replica was seen to have caught up
     * @param lostThoughReplicated of those, never delivered
     * @param refused schedules that failed and said that nothing was stored
     * @param unknown schedules that failed and said that they may have been stored
     * @param unreplicated schedules that were answered and said that too few replicas have the task
     * @param deliveredTwice tasks with more than one delivery, for whatever reason
     * @param settledButBack of those, delivered again although their end had been acknowledged
     * @param longestGap between two successes of one producer
     */
    record Tally(
            int acknowledged,
            int lost,
            int replicated,
            int lostThoughReplicated,
            int refused,
            int unknown,
            int unreplicated,
            int deliveredTwice,
            int settledButBack,
            Duration longestGap) {}
}
