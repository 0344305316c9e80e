// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.admin;

import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.HistoryEntry;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.ListedTask;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskPage;
import io.delayqueue.TaskStoreException;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.KeyLimits;
import io.delayqueue.admin.PurgeResult;
import io.delayqueue.admin.QueueSharding;
import io.delayqueue.admin.QueueStats;
import io.delayqueue.admin.RedriveResult;
import io.delayqueue.admin.TaskQuery;
import io.delayqueue.admin.WaitingKey;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.calls.CallProgress;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.sharding.Resharding;
import io.delayqueue.internal.sharding.ShardedTasks;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.KeyLimitsChange;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardStats;
import io.delayqueue.internal.store.StoredKeyLimits;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.WaitingKeysPage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Manages queues in the task store. */
public final class TaskStoreAdmin implements DelayQueueAdmin {

    /** Maximum wait for a migrating task; longer than a hold lasts after its process has died. */
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    /** Bounds that allow the longest key of any configuration. */
    private static final TaskBounds KEYS = new TaskBounds(0, 4096, 0);

    private static final int MOST_KEYS = 10;
    private static final int KEYS_IN_A_PAGE = 200;
    private static final int MOST_PAGES_OF_KEYS = 100;

    private static final int PURGES_WHILE_MIGRATING = 50;
    private static final Duration PAUSE_WHILE_MIGRATING = Duration.ofMillis(50);

    private final TaskStore store;
    private final QueueCatalog queues;
    private final Resharding resharding;
    private final BoundedWait wait;
    private final ShardedTasks tasks;
    private final TaskPages pages;
    private final TaskHistory history;
    private final PacedDueTimes pacedDueTimes;

    public TaskStoreAdmin(TaskStore store, QueueCatalog queues, Shardings shardings, Resharding resharding) {
        this.store = store;
        this.queues = queues;
        this.resharding = resharding;
        this.wait = new BoundedWait(store.callTimeout());
        this.pages = new TaskPages(store, wait);
        this.history = new TaskHistory(store.history(), wait);
        this.tasks = new ShardedTasks(store, shardings, PATIENCE, Scheduler.forCalls());
        this.pacedDueTimes = new PacedDueTimes(store);
    }

    @Override
    public Set<String> queues() {
        return queues.names();
    }

    @Override
    public Map<String, QueueStats> statsByQueue() {
        Map<String, QueueStats> stats = new LinkedHashMap<>();
        queues.names().forEach(queue -> stats.put(queue, stats(queue)));
        return stats;
    }

    @Override
    public QueueStats stats(String queue) {
        List<ShardStats> shards = shardStats(queue, "counts");
        long heldBack = sum(shards, ShardStats::heldBack);
        long due = sum(shards, ShardStats::due);
        long leased = sum(shards, ShardStats::leased);
        return new QueueStats(
                Math.max(0, sum(shards, ShardStats::live) - heldBack - due - leased),
                heldBack,
                due,
                leased,
                sum(shards, ShardStats::dead),
                shards.stream()
                        .map(ShardStats::nextAttention)
                        .filter(Objects::nonNull)
                        .min(Comparator.naturalOrder()),
                shards.stream().map(ShardStats::pause).filter(Objects::nonNull).findFirst());
    }

    private List<ShardStats> shardStats(String queue, String verb) {
        return shards(queue).stream()
                .map(shard -> wait.answer(store.shards().stats(shard), what(queue, verb)))
                .toList();
    }

    private static long sum(List<ShardStats> shards, ToLongFunction<ShardStats> figure) {
        return shards.stream().mapToLong(figure).sum();
    }

    @Override
    public Instant now(String queue) {
        return shardStats(queue, "clock").stream()
                .map(ShardStats::now)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    @Override
    public TaskPage<ListedTask> liveTasks(String queue, TaskQuery query) {
        return pages.live(queue, shards(queue), query);
    }

    @Override
    public List<HistoryEntry> history(String queue, String id) {
        int shards = shards(queue).size();
        Shard home = tasks.placement(queue).apply(id);
        return history.of(home, shards, queues.historyLength(queue) > 0, id);
    }

    @Override
    public TaskPage<ListedTask> deadTasks(String queue, TaskQuery query) {
        return pages.dead(queue, shards(queue), query);
    }

    @Override
    public CancelOutcome cancel(String queue, String id, Instant nextAttentionAt) {
        int replicas = queues.get(queue).minReplicas();
        return wait.answer(tasks.cancel(queue, id, nextAttentionAt, replicas), what(queue, "task"));
    }

    @Override
    public RescheduleOutcome reschedule(String queue, String id, Due due, Instant nextAttentionAt) {
        int replicas = queues.get(queue).minReplicas();
        return wait.answer(tasks.reschedule(queue, id, due, nextAttentionAt, replicas), what(queue, "task"));
    }

    @Override
    public boolean redrive(String queue, String id) {
        return redrive(queue, List.of(id)).redriven() == 1;
    }

    @Override
    public boolean redrive(String queue, String id, Instant nextAttentionAt) {
        return redrive(queue, Map.of(id, Due.after(Duration.ZERO)), nextAttentionAt)
                        .redriven()
                == 1;
    }

    @Override
    public RedriveResult redrive(String queue, Collection<String> ids) {
        Map<String, Due> due = new LinkedHashMap<>();
        ids.forEach(id -> due.put(id, Due.after(Duration.ZERO)));
        return redrive(queue, due, null);
    }

    @Override
    public RedriveResult redrive(String queue, Collection<String> ids, int perSecond) {
        queues.get(queue);
        List<String> distinct = ids.stream().distinct().toList();
        List<Instant> dueTimes = pacedDueTimes.reserve(queue, distinct.size(), perSecond);
        Map<String, Due> due = new LinkedHashMap<>();
        for (int i = 0; i < distinct.size(); i++) {
            due.put(distinct.get(i), Due.at(dueTimes.get(i)));
        }
        return redrive(queue, due, null);
    }

    private RedriveResult redrive(String queue, Map<String, Due> due, @Nullable Instant diedAt) {
        CallProgress progress = new CallProgress();
        return wait.answer(tasks.dead().redrive(queue, due, diedAt, progress), progress, what(queue, "dead tasks"));
    }

    @Override
    public RedriveResult redriveAll(String queue, int perSecond) {
        PacedDueTimes.require(perSecond);
        Instant begin = now(queue);
        long redriven = 0;
        List<String> skipped = new ArrayList<>();
        Instant lastDueAt = null;
        TaskQuery query = TaskQuery.first(TaskStore.MAX_BATCH);
        TaskPage<ListedTask> dead;
        try {
            do {
                dead = deadTasks(queue, query);
                // A task that dies again is listed after the tasks that are still to be read.
                List<String> ids = dead.content().stream()
                        .filter(task -> !task.nextAttentionAt().isAfter(begin))
                        .map(ListedTask::id)
                        .toList();
                RedriveResult some = redrive(queue, ids, perSecond);
                redriven += some.redriven();
                skipped.addAll(some.skipped());
                lastDueAt = some.lastDueAt().orElse(lastDueAt);
                query = query.after(dead.position());
            } while (dead.hasNext());
        } catch (TaskStoreException ex) {
            throw TaskFailures.afterAPart(ex, redriven > 0, "the call redrove " + redriven + " tasks");
        }
        return new RedriveResult(redriven, skipped, Optional.ofNullable(lastDueAt));
    }

    @Override
    public boolean discard(String queue, String id) {
        return discard(queue, List.of(id)) == 1;
    }

    @Override
    public boolean discard(String queue, String id, Instant nextAttentionAt) {
        return discard(queue, List.of(id), nextAttentionAt) == 1;
    }

    @Override
    public long discard(String queue, Collection<String> ids) {
        return discard(queue, ids, null);
    }

    private long discard(String queue, Collection<String> ids, @Nullable Instant diedAt) {
        CallProgress progress = new CallProgress();
        return wait.answer(tasks.dead().discard(queue, ids, diedAt, progress), progress, what(queue, "dead tasks"));
    }

    @Override
    public void pause(String queue) {
        forEveryShard(queue, "pause", store.shards()::pause);
    }

    @Override
    public void pause(String queue, String by, String reason, @Nullable Duration time) {
        if (time != null && (time.isNegative() || time.isZero())) {
            throw new IllegalArgumentException("Queue '" + queue + "': a pause must last longer than " + time);
        }
        Due until = time == null ? null : Due.after(time);
        forEveryShard(queue, "pause", shard -> store.shards().pause(shard, until, by, reason));
    }

    @Override
    public void resume(String queue) {
        forEveryShard(queue, "resume", store.shards()::resume);
    }

    @Override
    public boolean isPaused(String queue) {
        return stats(queue).paused();
    }

    @Override
    public KeyLimits keyLimits(String queue, String key) {
        return limits(queue, key, KeyLimitsChange.READ).limits();
    }

    @Override
    public void setKeyLimits(String queue, String key, KeyLimits limits) {
        limits(queue, key, KeyLimitsChange.set(limits));
    }

    @Override
    public Optional<Instant> keyClosedUntil(String queue, String key) {
        return limits(queue, key, KeyLimitsChange.READ).closedUntil();
    }

    @Override
    public void closeKey(String queue, String key, Instant until) {
        limits(queue, key, KeyLimitsChange.close(until));
    }

    @Override
    public void openKey(String queue, String key) {
        limits(queue, key, KeyLimitsChange.OPEN);
    }

    @Override
    public List<WaitingKey> waitingKeys(String queue) {
        Map<String, WaitingKey> keys = new HashMap<>();
        for (Shard shard : shards(queue)) {
            String cursor = "";
            int pages = MOST_PAGES_OF_KEYS;
            do {
                WaitingKeysPage page = waitingKeys(shard, "", cursor);
                page.keys().forEach(key -> keys.merge(key.key(), key, TaskStoreAdmin::together));
                cursor = page.cursor();
            } while (!cursor.isEmpty() && --pages > 0);
        }
        return keys.values().stream()
                .sorted(Comparator.comparingLong(WaitingKey::waiting).reversed().thenComparing(WaitingKey::key))
                .limit(MOST_KEYS)
                .toList();
    }

    @Override
    public Optional<WaitingKey> waitingKey(String queue, String key) {
        queues.get(queue);
        KEYS.checkPart(queue, "key", key);
        String idPrefix = TaskIds.keyPrefix(key);
        return tasks.homes(queue, idPrefix).stream()
                .flatMap(shard -> waitingKeys(shard, idPrefix, "").keys().stream())
                .reduce(TaskStoreAdmin::together);
    }

    private WaitingKeysPage waitingKeys(Shard shard, String idPrefix, String cursor) {
        return wait.answer(
                store.shards().waitingKeys(shard, idPrefix, cursor, KEYS_IN_A_PAGE),
                what(shard.queue(), "waiting keys"));
    }

    /** Combines the figures of a key that has tasks in two shards, as is possible while tasks migrate. */
    private static WaitingKey together(WaitingKey one, WaitingKey other) {
        Instant first = one.nextTurn().isBefore(other.nextTurn()) ? one.nextTurn() : other.nextTurn();
        return new WaitingKey(one.key(), one.waiting() + other.waiting(), first);
    }

    private StoredKeyLimits limits(String queue, String key, KeyLimitsChange change) {
        queues.get(queue);
        KEYS.checkPart(queue, "key", key);
        return wait.answer(tasks.keyLimits(queue, key, change), what(queue, "limits of a key"));
    }

    @Override
    public PurgeResult purge(String queue, String confirmQueueName) {
        List<Shard> shards = shards(queue);
        if (!queue.equals(confirmQueueName)) {
            throw new InvalidTaskException("Queue '" + queue + "' was not purged, because the confirmation is '"
                    + PrintableText.of(confirmQueueName, 80) + "'. Pass the name of the queue as confirmation");
        }
        LongAdder deleted = new LongAdder();
        try {
            PurgeResult result = purge(shards, deleted);
            // A task in migration can be missed in both its source and its target shard.
            for (int round = 1; round < PURGES_WHILE_MIGRATING && tasks.mayMigrate(queue); round++) {
                LockSupport.parkNanos(PAUSE_WHILE_MIGRATING.toNanos());
                PurgeResult next = purge(shards(queue), deleted);
                result = sum(result, next, next.left());
                if (next.live() + next.dead() + next.left() == 0) {
                    break;
                }
            }
            return result;
        } catch (TaskStoreException ex) {
            throw TaskFailures.afterAPart(ex, deleted.sum() > 0, "the call deleted " + deleted + " tasks");
        }
    }

    private PurgeResult purge(List<Shard> shards, LongAdder deleted) {
        PurgeResult result = new PurgeResult(0, 0, 0, 0);
        for (Shard shard : shards) {
            ShardStats before = wait.answer(store.shards().stats(shard), what(shard.queue(), "counts"));
            // Limit the calls to twice the present number of tasks, so that producers cannot prolong this endlessly.
            long calls = 1 + 2 * (before.live() + before.dead()) / TaskStore.MAX_BATCH;
            PurgeResult purged = new PurgeResult(0, 0, 0, 0);
            do {
                PurgeResult next =
                        wait.answer(store.shards().purge(shard, TaskStore.MAX_BATCH), what(shard.queue(), "purge"));
                deleted.add(next.live() + next.dead());
                purged = sum(purged, next, next.left());
            } while (purged.left() > 0 && --calls > 0);
            result = sum(result, purged, result.left() + purged.left());
        }
        return result;
    }

    private static PurgeResult sum(PurgeResult one, PurgeResult other, long left) {
        return new PurgeResult(
                one.live() + other.live(), one.leased() + other.leased(), one.dead() + other.dead(), left);
    }

    @Override
    public QueueSharding reshard(String queue, int shards) {
        queues.get(queue);
        return resharding.reshard(queue, shards);
    }

    @Override
    public QueueSharding sharding(String queue) {
        queues.get(queue);
        return resharding.sharding(queue);
    }

    /** Makes a call to every shard, also to those that a reshard adds in the meantime. */
    private void forEveryShard(String queue, String verb, Function<Shard, CompletableFuture<Boolean>> call) {
        int done = 0;
        try {
            for (List<Shard> shards = shards(queue); shards.size() > done; shards = shards(queue)) {
                for (; done < shards.size(); done++) {
                    wait.answer(call.apply(shards.get(done)), what(queue, verb));
                }
            }
        } catch (TaskStoreException ex) {
            throw TaskFailures.afterAPart(ex, done > 0, "the call changed other shards");
        }
    }

    private static String what(String queue, String verb) {
        return "Queue '" + queue + "', " + verb;
    }

    /** Returns all shards that may hold tasks by the recorded sharding. */
    private List<Shard> shards(String queue) {
        queues.get(queue);
        return wait.answer(tasks.shards(queue), what(queue, "sharding"));
    }
}
