// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.bytes;

import io.delayqueue.Due;
import io.delayqueue.TaskIds;
import io.delayqueue.admin.PurgeResult;
import io.delayqueue.admin.WaitingKey;
import io.delayqueue.internal.redis.IdEncoding;
import io.delayqueue.internal.redis.RedisBytes;
import io.delayqueue.internal.redis.RedisKeys.QueueKey;
import io.delayqueue.internal.redis.Script;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Calls on a whole shard: figures, lists, pauses and purges. Threads and failures as in {@link TaskStore}. */
public record ShardStore(StoreScripts scripts) {

    private static final int KINDS_RECORDS = 1_000;
    private static final byte[] NONE = new byte[0];

    /**
     * Counts the shard's tasks and those that soon need attention.
     *
     * @param ahead a few durations to look ahead, none negative
     */
    public CompletableFuture<ShardStats> stats(Shard shard, List<Duration> ahead) {
        byte[][] args = ahead.stream().map(time -> bytes(time.toMillis())).toArray(byte[][]::new);
        return scripts.run(Script.STATS, shard, "stats", "counts", args)
                .thenApply(reply -> new ShardStats(
                        reply.number(0),
                        reply.number(8),
                        reply.number(1),
                        reply.number(2),
                        reply.number(3),
                        reply.number(7),
                        reply.time(4),
                        StoredPause.parse(reply.text(5)),
                        reply.instant(6),
                        counts(reply, 9, reply.parts().size() - 9)));
    }

    public CompletableFuture<ShardStats> stats(Shard shard) {
        return stats(shard, List.of());
    }

    /**
     * Reserves a time span after earlier reservations. Tasks of a queue become due in it at a limited rate.
     *
     * @param spanMicros its length; 0 to reserve nothing
     */
    public CompletableFuture<ReservedTime> reserveDueTimes(String queue, long spanMicros) {
        return scripts.run(
                        Script.PACE,
                        scripts.keys().of(QueueKey.PACE, queue),
                        "Queue '" + queue + "', due times",
                        scripts.clock().bytes(),
                        bytes(spanMicros))
                .thenApply(reply -> new ReservedTime(reply.number(0), reply.number(1)));
    }

    /**
     * Takes tokens of a queue's rate, one for each task to acquire.
     *
     * @param intervalNanos time between two tasks
     * @param burst number of tokens that may be taken at once
     * @param wanted maximum number of tokens to take
     * @param unused number of unused tokens of an earlier call that this call returns
     * @param takenAtMicros {@link RateTokens#serverMicros} of that call; tokens that the rate has granted since then
     *     cannot be returned
     */
    public CompletableFuture<RateTokens> takeTokens(
            String queue, long intervalNanos, int burst, int wanted, int unused, long takenAtMicros) {
        return scripts.run(
                        Script.RATE_TAKE,
                        scripts.keys().of(QueueKey.FLOW, queue),
                        "Queue '" + queue + "', rate",
                        scripts.clock().bytes(),
                        bytes(intervalNanos),
                        bytes(burst),
                        bytes(wanted),
                        bytes(unused),
                        bytes(takenAtMicros))
                .thenApply(reply -> new RateTokens(
                        reply.count(0), Duration.of(reply.number(1), ChronoUnit.MICROS), reply.number(2)));
    }

    public CompletableFuture<Page> page(Shard shard, PageRequest request) {
        return scripts.run(
                        Script.TASK_PAGE,
                        shard,
                        "read",
                        "tasks",
                        bytes(request.list().name()),
                        bytes(request.after().at().toEpochMilli()),
                        IdEncoding.bytes(request.after().id()),
                        RedisBytes.optional(request.before()),
                        IdEncoding.bytes(request.idPrefix()),
                        bytes(request.limit()),
                        bytes(request.looks()),
                        bytes(request.maxBytes()))
                .thenApply(reply -> new Page(StoredTasks.page(reply.list(2)), next(reply)));
    }

    private static @Nullable Position next(Reply reply) {
        return reply.has(0) ? new Position(reply.instant(0), reply.id(1)) : null;
    }

    /**
     * Counts live tasks by the time when they next need attention. Returns the count before the first slice, the count
     * of each slice, and the count after the last.
     */
    public CompletableFuture<List<Long>> dueCounts(Shard shard, DueCountsRequest request) {
        return scripts.run(
                        Script.DUE_COUNTS,
                        shard,
                        "count",
                        "live tasks",
                        bytes(request.from().toEpochMilli()),
                        bytes(request.width().toMillis()),
                        bytes(request.slices()))
                .thenApply(Reply::numbers);
    }

    /**
     * Counts the live tasks of a time range that are in progress, and those that wait after a failed attempt. Each call
     * reads some tasks and returns the cursor for the next call.
     *
     * @param cursor the cursor of the previous reply; 0 to start
     */
    public CompletableFuture<ShardDueKinds> dueKinds(Shard shard, DueCountsRequest request, String cursor) {
        return scripts.run(
                        Script.DUE_KINDS,
                        shard,
                        "count",
                        "live tasks",
                        bytes(request.from().toEpochMilli()),
                        bytes(request.width().toMillis()),
                        bytes(request.slices()),
                        bytes(cursor),
                        bytes(KINDS_RECORDS))
                .thenApply(reply -> new ShardDueKinds(
                        reply.text(0),
                        reply.isTrue(1),
                        counts(reply, 2, request.slices()),
                        counts(reply, 2 + request.slices(), request.slices())));
    }

    private static List<Long> counts(Reply reply, int from, int size) {
        return IntStream.range(from, from + size).mapToObj(reply::number).toList();
    }

    /** Stops every process from acquiring tasks of the shard. Returns {@code false} if it was already paused. */
    public CompletableFuture<Boolean> pause(Shard shard) {
        return pause(shard, null, "", "");
    }

    /**
     * Lets processes acquire tasks of the shard again, and wakes the pollers. Returns {@code false} if it was not
     * paused.
     */
    public CompletableFuture<Boolean> resume(Shard shard) {
        return scripts.run(Script.PAUSE, shard, "resume", "acquiring", bytes(0), NONE, NONE)
                .thenApply(reply -> reply.isTrue(0));
    }

    /**
     * Pauses a shard, or changes its pause.
     *
     * @param until end of the pause; null for none
     * @param by name of the operator; empty if unknown
     * @param reason reason for the pause; empty for none
     * @return {@code false} if it was already paused
     */
    public CompletableFuture<Boolean> pause(Shard shard, @Nullable Due until, String by, String reason) {
        byte[] end = until == null ? NONE : RedisBytes.due(until);
        return scripts.run(
                        Script.PAUSE, shard, "pause", "acquiring", bytes(1), end, bytes(StoredPause.note(by, reason)))
                .thenApply(reply -> reply.isTrue(0));
    }

    /**
     * Reads or changes the run-time limits of a key. A change also applies to waiting tasks of the key at once.
     *
     * @param idPrefix prefix of the ids of the key's tasks
     */
    public CompletableFuture<StoredKeyLimits> keyLimits(
            Shard shard, ShardingVersion sharding, String idPrefix, KeyLimitsChange change) {
        return scripts.run(
                        Script.KEY_LIMITS,
                        shard,
                        sharding,
                        "limits of",
                        idPrefix,
                        IdEncoding.bytes(idPrefix),
                        bytes(change.limits()),
                        bytes(change.closed()))
                .thenApply(reply -> new StoredKeyLimits(reply.text(0), reply.text(1), reply.isTrue(2)));
    }

    /**
     * Reads the next keys of the shard and returns the keys with the most held-back tasks.
     *
     * @param idPrefix prefix of the ids of one key's tasks, to read only this key; empty for all keys
     * @param cursor cursor of the previous page; empty to start
     * @param count maximum number of keys to examine
     */
    public CompletableFuture<WaitingKeysPage> waitingKeys(Shard shard, String idPrefix, String cursor, int count) {
        return scripts.run(
                        Script.KEYS_WAITING,
                        shard,
                        "read",
                        "waiting keys",
                        IdEncoding.bytes(idPrefix),
                        IdEncoding.bytes(cursor),
                        bytes(count))
                .thenApply(reply -> new WaitingKeysPage(
                        reply.id(0),
                        reply.list(1).rows(3).map(ShardStore::waitingKey).toList()));
    }

    private static WaitingKey waitingKey(Reply row) {
        String stored = row.id(0);
        String key = TaskIds.keyOf("{" + stored + "}:").orElse(stored);
        return new WaitingKey(key, row.number(1), row.instant(2));
    }

    /**
     * Deletes tasks in any state. The tokens of their leases become invalid.
     *
     * @param limit maximum number of tasks, 1 to {@link TaskStore#MAX_BATCH}
     */
    public CompletableFuture<PurgeResult> purge(Shard shard, int limit) {
        return scripts.run(Script.PURGE, shard, "purge", limit + " tasks", bytes(limit))
                .thenApply(
                        reply -> new PurgeResult(reply.number(0), reply.number(1), reply.number(2), reply.number(3)));
    }
}
