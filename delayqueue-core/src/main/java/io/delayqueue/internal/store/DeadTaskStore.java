// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.bytes;
import static io.delayqueue.internal.redis.RedisBytes.instant;
import static io.delayqueue.internal.redis.RedisBytes.string;

import io.delayqueue.internal.calls.TaskMigratingException;
import io.delayqueue.internal.redis.IdEncoding;
import io.delayqueue.internal.redis.RedisBytes;
import io.delayqueue.internal.redis.Script;
import io.delayqueue.internal.redis.ScriptRequest;
import io.delayqueue.internal.redis.ShardKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Dead tasks: redriving and deleting them. Threads and failures as in {@link TaskStore}. */
public class DeadTaskStore extends StoreRole {

    private static final byte[] WHENEVER = {};

    DeadTaskStore(StoreParts parts) {
        super(parts);
    }

    /**
     * Makes dead tasks live again and forgets their attempts. If it is repeated after a lost reply, it finds the tasks
     * live and changes nothing. Fails with {@link TaskMigratingException} if a task is migrating to another shard.
     */
    public CompletableFuture<ShardRedrive> redrive(Shard shard, ShardingVersion sharding, ShardRedriveRequest request) {
        ShardKeys k = shard.keys(keys);
        List<byte[]> args = new ArrayList<>(
                List.of(clock.bytes(), k.wakeChannel, k.shardNumber, bytes(sharding.text()), histories.of(shard)));
        for (int i = 0; i < request.ids().size(); i++) {
            args.add(IdEncoding.bytes(request.ids().get(i)));
            args.add(RedisBytes.due(request.due().get(i)));
        }
        String what = shard.what("redrive", request.ids().size() + " tasks");
        return scripts.<List<Object>>run(ScriptRequest.of(Script.REDRIVE, k, what, args.toArray(byte[][]::new)))
                .thenApply(reply -> new ShardRedrive(
                        RedisBytes.verdicts((List<?>) reply.get(1)),
                        string(reply.get(0)).isEmpty() ? null : instant(reply.get(0))));
    }

    /** Makes dead tasks live again regardless of the sharding. */
    public CompletableFuture<ShardRedrive> redrive(Shard shard, ShardRedriveRequest request) {
        return redrive(shard, ShardingVersion.NONE, request);
    }

    /**
     * Deletes dead tasks. Returns in the order of the ids: {@code true} if the task was deleted, {@code false} if it is
     * not dead and nothing was changed. Fails with {@link TaskMigratingException} if a task is migrating to another
     * shard.
     *
     * @param ids 1 to {@link TaskStore#MAX_BATCH}, all different
     */
    public CompletableFuture<List<Boolean>> discard(Shard shard, ShardingVersion sharding, List<String> ids) {
        return discard(shard, sharding, ids.stream().map(id -> new byte[][] {IdEncoding.bytes(id), WHENEVER}));
    }

    /** Deletes dead tasks regardless of the sharding. */
    public CompletableFuture<List<Boolean>> discard(Shard shard, List<String> ids) {
        return discard(shard, ShardingVersion.NONE, ids);
    }

    /**
     * Like {@link #discard}, but deletes only tasks with the very death that was read: the id may since belong to
     * another task that also died.
     *
     * @param deaths 1 to {@link TaskStore#MAX_BATCH}, with different ids
     */
    public CompletableFuture<List<Boolean>> discardDeaths(
            Shard shard, ShardingVersion sharding, List<Position> deaths) {
        return discard(shard, sharding, deaths.stream().map(death ->
                new byte[][] {IdEncoding.bytes(death.id()), bytes(death.at().toEpochMilli())}));
    }

    private CompletableFuture<List<Boolean>> discard(Shard shard, ShardingVersion sharding, Stream<byte[][]> tasks) {
        List<byte[]> args = new ArrayList<>(List.of(clock.bytes(), bytes(sharding.text()), histories.of(shard)));
        int first = args.size();
        tasks.forEach(task -> args.addAll(List.of(task)));
        String what = shard.what("discard", (args.size() - first) / 2 + " tasks");
        return scripts.<List<Object>>run(
                        ScriptRequest.of(Script.DISCARD, shard.keys(keys), what, args.toArray(byte[][]::new)))
                .thenApply(RedisBytes::verdicts);
    }

    /** Deletes dead tasks that are too old. */
    public CompletableFuture<DeadTrim> trim(Shard shard, TrimRequest request) {
        return scripts.<List<Object>>run(ScriptRequest.of(
                        Script.TRIM_DEAD,
                        shard.keys(keys),
                        shard.what("trim", "dead tasks"),
                        clock.bytes(),
                        bytes(request.retention().toMillis()),
                        bytes(request.limit())))
                .thenApply(reply -> new DeadTrim(
                        ((Long) reply.get(0)) == 1,
                        ((List<?>) reply.get(1)).stream().map(RedisBytes::id).toList()));
    }
}
