// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.instant;
import static io.delayqueue.internal.redis.RedisBytes.number;
import static io.delayqueue.internal.redis.RedisBytes.string;

import io.delayqueue.Due;
import io.delayqueue.TaskIds;
import io.delayqueue.admin.WaitingKey;
import io.delayqueue.internal.redis.IdEncoding;
import io.delayqueue.internal.redis.RedisBytes;
import io.delayqueue.internal.redis.Script;
import io.delayqueue.internal.redis.ScriptRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Calls on a whole shard: figures, lists, pauses and purges. Threads and failures as in {@link TaskStore}. */
public class ShardStore extends StoreRole {

    private static final int KINDS_RECORDS = 1_000;

    ShardStore(StoreParts parts) {
        super(parts);
    }

    /**
     * Counts the shard's tasks and those that soon need attention.
     *
     * @param ahead a few durations to look ahead, none negative
     */
    public CompletableFuture<ShardStats> stats(Shard shard, List<Duration> ahead) {
        byte[][] args = ahead.stream().map(time -> bytes(time.toMillis())).toArray(byte[][]::new);
        return this.<List<Object>>run(Script.STATS, shard, "stats", "counts", args)
                .thenApply(reply -> new ShardStats(
                        number(reply.get(0)),
                        number(reply.get(8)),
                        number(reply.get(1)),
                        number(reply.get(2)),
                        number(reply.get(3)),
                        number(reply.get(7)),
                        string(reply.get(4)).isEmpty() ? null : instant(reply.get(4)),
                        StoredPause.parse(string(reply.get(5))),
                        instant(reply.get(6)),
                        reply.subList(9, reply.size()).stream()
                                .map(RedisBytes::number)
                                .toList()));
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
        return scripts.<List<Object>>run(ScriptRequest.of(
                        Script.PACE,
                        keys.pace(queue),
                        "Queue '" + queue + "', due times",
                        clock.bytes(),
                        bytes(spanMicros)))
                .thenApply(reply -> new ReservedTime(RedisBytes.number(reply.get(0)), RedisBytes.number(reply.get(1))));
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
        return scripts.<List<Object>>run(ScriptRequest.of(
                        Script.RATE_TAKE,
                        keys.flow(queue),
                        "Queue '" + queue + "', rate",
                        clock.bytes(),
                        bytes(intervalNanos),
                        bytes(burst),
                        bytes(wanted),
                        bytes(unused),
                        bytes(takenAtMicros)))
                .thenApply(reply -> new RateTokens(
                        (int) number(reply.get(0)),
                        Duration.of(number(reply.get(1)), ChronoUnit.MICROS),
                        number(reply.get(2))));
    }

    public CompletableFuture<Page> page(Shard shard, PageRequest request) {
        Instant before = request.before();
        return this.<List<Object>>run(
                        Script.TASK_PAGE,
                        shard,
                        "read",
                        "tasks",
                        bytes(request.list().name()),
                        bytes(request.after().at().toEpochMilli()),
                        IdEncoding.bytes(request.after().id()),
                        (before == null) ? new byte[0] : bytes(before.toEpochMilli()),
                        IdEncoding.bytes(request.idPrefix()),
                        bytes(request.limit()),
                        bytes(request.looks()),
                        bytes(request.maxBytes()))
                .thenApply(reply -> new Page(StoredTasks.page((List<?>) reply.get(2)), next(reply)));
    }

    private static @Nullable Position next(List<Object> reply) {
        return string(reply.get(0)).isEmpty() ? null : new Position(instant(reply.get(0)), RedisBytes.id(reply.get(1)));
    }

    /**
     * Counts live tasks by the time when they next need attention. Returns the count before the first slice, the count
     * of each slice, and the count after the last.
     */
    public CompletableFuture<List<Long>> dueCounts(Shard shard, DueCountsRequest request) {
        return this.<List<Object>>run(
                        Script.DUE_COUNTS,
                        shard,
                        "count",
                        "live tasks",
                        bytes(request.from().toEpochMilli()),
                        bytes(request.width().toMillis()),
                        bytes(request.slices()))
                .thenApply(reply -> reply.stream().map(count -> (Long) count).toList());
    }

    /**
     * Counts the live tasks of a time range that are in progress, and those that wait after a failed attempt. Each call
     * reads some tasks and returns the cursor for the next call.
     *
     * @param cursor the cursor of the previous reply; 0 to start
     */
    public CompletableFuture<ShardDueKinds> dueKinds(Shard shard, DueCountsRequest request, String cursor) {
        return this.<List<Object>>run(
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
                        string(reply.get(0)),
                        ((Long) reply.get(1)) == 1,
                        counts(reply, 2, request.slices()),
                        counts(reply, 2 + request.slices(), request.slices())));
    }

    private static List<Long> counts(List<Object> reply, int from, int size) {
        return reply.subList(from, from + size).stream()
                .map(count -> (Long) count)
                .toList();
    }

    /** Stops every process from acquiring tasks of the shard. Returns {@code false} if it was already paused. */
    public CompletableFuture<Boolean> pause(Shard shard) {
        return pause(shard, "pause", 1, new byte[0], "");
    }

    /**
     * Lets processes acquire tasks of the shard again, and wakes the pollers. Returns {@code false} if it was not
     * paused.
     */
    public CompletableFuture<Boolean> resume(Shard shard) {
        return pause(shard, "resume", 0, new byte[0], "");
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
        return pause(
                shard, "pause", 1, until == null ? new byte[0] : RedisBytes.due(until), StoredPause.note(by, reason));
    }

    private CompletableFuture<Boolean> pause(Shard shard, String verb, long wanted, byte[] until, String note) {
        return this.<Long>run(Script.PAUSE, shard, verb, "acquiring", bytes(wanted), until, bytes(note))
                .thenApply(reply -> reply == 1);
    }

    /**
     * Reads or changes the run-time limits of a key. A change also applies to waiting tasks of the key at once.
     *
     * @param idPrefix prefix of the ids of the key's tasks
     */
    public CompletableFuture<StoredKeyLimits> keyLimits(
            Shard shard, ShardingVersion sharding, String idPrefix, KeyLimitsChange change) {
        return this.<List<Object>>run(
                        Script.KEY_LIMITS,
                        shard,
                        sharding,
                        "limits of",
                        idPrefix,
                        IdEncoding.bytes(idPrefix),
                        bytes(change.limits()),
                        bytes(change.closed()))
                .thenApply(reply ->
                        new StoredKeyLimits(string(reply.get(0)), string(reply.get(1)), number(reply.get(2)) == 1));
    }

    /**
     * Reads the next keys of the shard and returns the keys with the most held-back tasks.
     *
     * @param idPrefix prefix of the ids of one key's tasks, to read only this key; empty for all keys
     * @param cursor cursor of the previous page; empty to start
     * @param count maximum number of keys to examine
     */
    public CompletableFuture<WaitingKeysPage> waitingKeys(Shard shard, String idPrefix, String cursor, int count) {
        return this.<List<Object>>run(
                        Script.KEYS_WAITING,
                        shard,
                        "read",
                        "waiting keys",
                        IdEncoding.bytes(idPrefix),
                        IdEncoding.bytes(cursor),
                        bytes(count))
                .thenApply(reply -> new WaitingKeysPage(RedisBytes.id(reply.get(0)), keys((List<?>) reply.get(1))));
    }

    private static List<WaitingKey> keys(List<?> flat) {
        List<WaitingKey> keys = new ArrayList<>(flat.size() / 3);
        for (int i = 0; i < flat.size(); i += 3) {
            String stored = RedisBytes.id(flat.get(i));
            String key = TaskIds.keyOf("{" + stored + "}:").orElse(stored);
            keys.add(new WaitingKey(key, number(flat.get(i + 1)), instant(flat.get(i + 2))));
        }
        return keys;
    }

    /**
     * Deletes tasks in any state. The tokens of their leases become invalid.
     *
     * @param limit maximum number of tasks, 1 to {@link TaskStore#MAX_BATCH}
     */
    public CompletableFuture<ShardPurge> purge(Shard shard, int limit) {
        return this.<List<Object>>run(Script.PURGE, shard, "purge", limit + " tasks", bytes(limit))
                .thenApply(reply -> new ShardPurge(
                        ((Long) reply.get(0)).intValue(),
                        ((Long) reply.get(1)).intValue(),
                        ((Long) reply.get(2)).intValue(),
                        (Long) reply.get(3)));
    }
}
