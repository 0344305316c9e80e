// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.instant;
import static io.delayqueue.internal.redis.RedisBytes.number;
import static io.delayqueue.internal.redis.RedisBytes.string;
import static io.delayqueue.internal.redis.RedisBytes.what;

import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardOutlook;
import io.delayqueue.internal.store.ShardPurge;
import io.delayqueue.internal.store.ShardStats;
import io.delayqueue.internal.store.ShardStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Counts, pauses and purges shards. */
record RedisShardStore(ScriptRunner scripts, RedisKeys keys, ClockOffset clock) implements ShardStore {

    @Override
    public CompletableFuture<ShardStats> stats(Shard shard) {
        return scripts.<List<Object>>run(Script.STATS, keys.of(shard), what("stats", shard, "counts"), clock.bytes())
                .thenApply(reply -> new ShardStats(
                        number(reply.get(0)),
                        number(reply.get(1)),
                        number(reply.get(2)),
                        number(reply.get(3)),
                        string(reply.get(4)).isEmpty() ? null : instant(reply.get(4)),
                        number(reply.get(5)) == 1,
                        number(reply.get(6)),
                        instant(reply.get(7))));
    }

    @Override
    public CompletableFuture<ShardOutlook> outlook(Shard shard, List<Duration> ahead) {
        byte[][] args = new byte[ahead.size() + 1][];
        args[0] = clock.bytes();
        for (int i = 0; i < ahead.size(); i++) {
            args[i + 1] = bytes(ahead.get(i).toMillis());
        }
        return scripts.<List<Object>>run(Script.OUTLOOK, keys.of(shard), what("outlook", shard, "counts"), args)
                .thenApply(reply -> new ShardOutlook(
                        number(reply.get(0)),
                        number(reply.get(1)),
                        number(reply.get(2)),
                        number(reply.get(3)),
                        number(reply.get(4)) == 1,
                        Duration.ofMillis(number(reply.get(5))),
                        reply.subList(6, reply.size()).stream()
                                .map(RedisBytes::number)
                                .toList()));
    }

    @Override
    public CompletableFuture<Boolean> pause(Shard shard) {
        return scripts.<Long>run(Script.PAUSE, keys.of(shard), what("pause", shard, "acquiring"), clock.bytes())
                .thenApply(reply -> reply == 1);
    }

    @Override
    public CompletableFuture<Boolean> resume(Shard shard) {
        ShardKeys k = keys.of(shard);
        return scripts.<Long>run(Script.RESUME, k, what("resume", shard, "acquiring"), k.wakeChannel, k.shardNumber)
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
