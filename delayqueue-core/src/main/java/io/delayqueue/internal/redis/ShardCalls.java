// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.instant;
import static io.delayqueue.internal.redis.RedisBytes.number;
import static io.delayqueue.internal.redis.RedisBytes.string;
import static io.delayqueue.internal.redis.RedisBytes.what;

import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardPurge;
import io.delayqueue.internal.store.ShardStats;
import io.lettuce.core.ScriptOutputType;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The calls about all tasks of a shard: counts, a pause, a purge; and whether those of a queue have routing keys. */
final class ShardCalls {

    private final ScriptRunner scripts;
    private final RedisKeys keys;

    ShardCalls(ScriptRunner scripts, RedisKeys keys) {
        this.scripts = scripts;
        this.keys = keys;
    }

    CompletableFuture<ShardStats> stats(Shard shard, byte[] clockOffset) {
        ShardKeys k = keys.of(shard);
        return scripts.<List<Object>>run(
                        Script.STATS,
                        ScriptOutputType.MULTI,
                        what("stats", shard, "counts"),
                        new byte[][] {k.index, k.leases, k.dead, k.paused, k.pace},
                        new byte[][] {clockOffset})
                .thenApply(reply -> new ShardStats(
                        number(reply.get(0)),
                        number(reply.get(1)),
                        number(reply.get(2)),
                        number(reply.get(3)),
                        string(reply.get(4)).isEmpty() ? null : instant(reply.get(4)),
                        number(reply.get(5)) == 1,
                        number(reply.get(6))));
    }

    CompletableFuture<Boolean> pause(Shard shard, byte[] clockOffset) {
        ShardKeys k = keys.of(shard);
        return scripts.<Long>run(
                        Script.PAUSE,
                        ScriptOutputType.INTEGER,
                        what("pause", shard, "acquiring"),
                        new byte[][] {k.leases, k.paused},
                        new byte[][] {clockOffset})
                .thenApply(reply -> reply == 1);
    }

    CompletableFuture<Boolean> resume(Shard shard) {
        ShardKeys k = keys.of(shard);
        return scripts.<Long>run(
                        Script.RESUME,
                        ScriptOutputType.INTEGER,
                        what("resume", shard, "acquiring"),
                        new byte[][] {k.paused},
                        new byte[][] {k.wakeChannel, k.shardNumber})
                .thenApply(reply -> reply == 1);
    }

    CompletableFuture<ShardPurge> purge(Shard shard, int limit, byte[] clockOffset) {
        ShardKeys k = keys.of(shard);
        return scripts.<List<Object>>run(
                        Script.PURGE,
                        ScriptOutputType.MULTI,
                        what("purge", shard, limit + " tasks"),
                        new byte[][] {k.index, k.tasks, k.leases, k.attempts, k.dead, k.transfers},
                        new byte[][] {clockOffset, bytes(limit)})
                .thenApply(reply -> new ShardPurge(
                        ((Long) reply.get(0)).intValue(),
                        ((Long) reply.get(1)).intValue(),
                        ((Long) reply.get(2)).intValue(),
                        (Long) reply.get(3)));
    }

    CompletableFuture<Boolean> usesRoutingKeys(String queue, boolean note) {
        return scripts.<Long>run(
                        Script.KEYED,
                        ScriptOutputType.INTEGER,
                        "Queue '" + queue + "', whether it uses routing keys",
                        new byte[][] {bytes(keys.keyed(queue))},
                        new byte[][] {bytes(note ? 1 : 0)})
                .thenApply(reply -> reply == 1);
    }
}
