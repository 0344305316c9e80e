// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.FailedAttempt;
import io.delayqueue.TaskIds;
import io.delayqueue.internal.redis.ContractStore;
import io.delayqueue.internal.redis.ShardState;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.WakeSignals;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/** A memory, shown as though it were the keys of a Redis. */
final class InMemoryContractStore implements ContractStore {

    private final InstantSource clock = Clock.systemUTC();
    private SharedMemory memory = new SharedMemory();

    @Override
    public void clear() {
        memory = new SharedMemory();
    }

    @Override
    public boolean isEmpty() {
        return memory.shards().stream().allMatch(InMemoryContractStore::isEmpty)
                && memory.queues().stream()
                        .allMatch(queue -> queue.layout.isEmpty()
                                && !queue.usesShardKeys
                                && queue.mover.isFree()
                                && queue.forwarder.isFree());
    }

    private static boolean isEmpty(MemoryShard shard) {
        return shard.tasks.byId().isEmpty()
                && shard.history.isEmpty()
                && shard.token == 0
                && shard.layout.isEmpty()
                && shard.pausedSince == null
                && shard.paceFreeFrom == 0
                && shard.catchUpFrom == 0;
    }

    @Override
    public TaskStore tasks(Duration timeout, LongSupplier clockOffsetMillis) {
        return new InMemoryTaskStore(
                memory, () -> clock.instant().plusMillis(clockOffsetMillis.getAsLong()), ContractStore::historyLength);
    }

    @Override
    public Instant clock() {
        return clock.instant();
    }

    @Override
    public ShardState state(Shard name) {
        MemoryShard shard = memory.shard(name);
        synchronized (shard) {
            return state(shard);
        }
    }

    private ShardState state(MemoryShard shard) {
        Map<String, Long> index = new TreeMap<>();
        Map<String, String> tasks = new TreeMap<>();
        Map<String, String> leases = new TreeMap<>();
        Map<String, String> attempts = new TreeMap<>();
        Map<String, Long> dead = new TreeMap<>();
        Map<String, String> transfers = new TreeMap<>();
        shard.tasks.live().forEach(place -> index.put(place.id(), place.moment()));
        shard.tasks.dead().forEach(place -> dead.put(place.id(), place.moment()));
        shard.tasks.byId().forEach((id, task) -> {
            tasks.put(id, envelope(task));
            if (task.isLeased()) {
                leases.put(
                        id,
                        "1:" + task.token + (task.waits ? "w" : "") + ":" + task.leaseEnd + ":" + task.due
                                + (task.order == 0 ? "" : "+" + task.order)
                                + "@" + task.holder);
            }
            if (task.attempts != null) {
                attempts.put(id, record(task.due, task.attempts));
            }
            if (task.hold != null) {
                transfers.put(id, "1:" + task.hold.token() + ":" + task.hold.deadline());
            }
        });
        return new ShardState(
                clock.millis(),
                index,
                tasks,
                leases,
                attempts,
                dead,
                shard.token == 0 ? "" : Long.toString(shard.token),
                shard.pausedSince == null ? "" : "1:" + shard.pausedSince,
                shard.paceFreeFrom == 0 ? "" : "1:" + shard.paceFreeFrom,
                transfers,
                pages(tasks.keySet()));
    }

    /** There are none in memory, where the ids alone say which tasks are in a group. */
    private static List<String> pages(Set<String> ids) {
        List<String> grouped =
                ids.stream().filter(id -> TaskIds.groupOf(id).isPresent()).toList();
        return grouped.isEmpty() ? List.of() : ShardState.pages(grouped);
    }

    private static String envelope(MemoryTask task) {
        char outcome = switch (task.outcome) {
            case CREATED -> 'C';
            case REPLACED -> 'R';
            case REPLACED_IN_FLIGHT -> 'F';
            case KEPT -> throw new AssertionError("A task that was kept was stored by another request");
            case DEFERRED -> throw new AssertionError("A task that is deferred is not stored");
        };
        return ShardState.envelope(outcome, task.requestId, task.content);
    }

    private static String record(long due, Attempts attempts) {
        return "1:" + due + ":" + attempts.failures() + ":" + attempts.leaseExpiries() + ":"
                + (attempts.uncertain() ? 1 : 0) + ":" + attempts.reason() + trail(attempts.trail());
    }

    /** The newest first. */
    private static String trail(List<FailedAttempt> attempts) {
        StringBuilder trail = new StringBuilder();
        attempts.forEach(attempt -> trail.insert(0, "\u001e" + attempt.at().toEpochMilli() + " " + attempt.reason()));
        return trail.toString();
    }

    @Override
    public Ear listen(String queue) {
        List<String> heard = new CopyOnWriteArrayList<>();
        WakeSignals.Registration registration = memory.wakeSignals().listen(queue, new WakeSignals.Listener() {
            @Override
            public void wake(int shard) {
                heard.add(Integer.toString(shard));
            }

            @Override
            public void wakeAll() {
                heard.add("all");
            }
        });
        return new Ear() {
            @Override
            public List<String> heard() {
                List<String> all = new ArrayList<>(heard);
                heard.clear();
                return all;
            }

            @Override
            public void close() {
                registration.close();
            }
        };
    }
}
