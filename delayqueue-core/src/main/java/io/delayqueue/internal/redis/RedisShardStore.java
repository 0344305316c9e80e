// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.instant;
import static io.delayqueue.internal.redis.RedisBytes.number;
import static io.delayqueue.internal.redis.RedisBytes.string;
import static io.delayqueue.internal.redis.RedisBytes.what;

import io.delayqueue.internal.store.DueCountsRequest;
import io.delayqueue.internal.store.Page;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Position;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardDueKinds;
import io.delayqueue.internal.store.ShardPurge;
import io.delayqueue.internal.store.ShardStats;
import io.delayqueue.internal.store.ShardStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Counts, reads, pauses and purges shards. */
record RedisShardStore(ScriptRunner scripts, RedisKeys keys, ClockOffset clock) implements ShardStore {

    private static final int KINDS_RECORDS = 1_000;

    @Override
    public CompletableFuture<ShardStats> stats(Shard shard, List<Duration> ahead) {
        byte[][] args = new byte[ahead.size() + 1][];
        args[0] = clock.bytes();
        for (int i = 0; i < ahead.size(); i++) {
            args[i + 1] = bytes(ahead.get(i).toMillis());
        }
        return scripts.<List<Object>>run(Script.STATS, keys.of(shard), what("stats", shard, "counts"), args)
                .thenApply(reply -> new ShardStats(
                        number(reply.get(0)),
                        number(reply.get(1)),
                        number(reply.get(2)),
                        number(reply.get(3)),
                        string(reply.get(4)).isEmpty() ? null : instant(reply.get(4)),
                        number(reply.get(5)) == 1,
                        instant(reply.get(6)),
                        reply.subList(7, reply.size()).stream()
                                .map(RedisBytes::number)
                                .toList()));
    }

    @Override
    public CompletableFuture<Long> reserveDueTimes(String queue, long spanMicros) {
        return scripts.<byte[]>run(
                        Script.PACE,
                        keys.pace(queue),
                        "Queue '" + queue + "', due times",
                        clock.bytes(),
                        bytes(spanMicros))
                .thenApply(RedisBytes::number);
    }

    @Override
    public CompletableFuture<Page> page(Shard shard, PageRequest request) {
        Instant before = request.before();
        return scripts.<List<Object>>run(
                        Script.TASK_PAGE,
                        keys.of(shard),
                        what("read", shard, "tasks"),
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

    @Override
    public CompletableFuture<List<Long>> dueCounts(Shard shard, DueCountsRequest request) {
        return scripts.<List<Object>>run(
                        Script.DUE_COUNTS,
                        keys.of(shard),
                        what("count", shard, "live tasks"),
                        bytes(request.from().toEpochMilli()),
                        bytes(request.width().toMillis()),
                        bytes(request.slices()))
                .thenApply(reply -> reply.stream().map(count -> (Long) count).toList());
    }

    @Override
    public CompletableFuture<ShardDueKinds> dueKinds(Shard shard, DueCountsRequest request, String cursor) {
        return scripts.<List<Object>>run(
                        Script.DUE_KINDS,
                        keys.of(shard),
                        what("count", shard, "live tasks"),
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

    @Override
    public CompletableFuture<Boolean> pause(Shard shard) {
        return pause(shard, "pause", 1);
    }

    @Override
    public CompletableFuture<Boolean> resume(Shard shard) {
        return pause(shard, "resume", 0);
    }

    private CompletableFuture<Boolean> pause(Shard shard, String verb, long wanted) {
        ShardKeys k = keys.of(shard);
        return scripts.<Long>run(
                        Script.PAUSE,
                        k,
                        what(verb, shard, "acquiring"),
                        clock.bytes(),
                        k.wakeChannel,
                        k.shardNumber,
                        bytes(wanted))
                .thenApply(reply -> reply == 1);
    }

    @Override
    public CompletableFuture<ShardPurge> purge(Shard shard, int limit) {
        return scripts.<List<Object>>run(
                        Script.PURGE,
                        keys.of(shard),
                        what("purge", shard, limit + " tasks"),
                        clock.bytes(),
                        bytes(limit))
                .thenApply(reply -> new ShardPurge(
                        ((Long) reply.get(0)).intValue(),
                        ((Long) reply.get(1)).intValue(),
                        ((Long) reply.get(2)).intValue(),
                        (Long) reply.get(3)));
    }
}
