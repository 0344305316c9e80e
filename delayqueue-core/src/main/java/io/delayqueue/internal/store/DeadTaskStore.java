// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.bytes;

import io.delayqueue.Due;
import io.delayqueue.internal.calls.TaskMigratingException;
import io.delayqueue.internal.redis.IdEncoding;
import io.delayqueue.internal.redis.RedisBytes;
import io.delayqueue.internal.redis.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Redrives and deletes dead tasks. Threads and failures as in {@link TaskStore}. */
public record DeadTaskStore(StoreScripts scripts) {

    /**
     * Makes dead tasks live again and clears their attempts. A repeated call finds the tasks live and changes nothing.
     * Fails with {@link TaskMigratingException} if a task is migrating to another shard.
     *
     * @param due due time by id; 1 to {@link TaskStore#MAX_BATCH} tasks
     * @param diedAt changes only tasks that died at this time; null for any
     */
    public CompletableFuture<ShardRedrive> redrive(
            Shard shard, ShardingVersion sharding, Map<String, Due> due, @Nullable Instant diedAt) {
        List<byte[]> args = new ArrayList<>();
        args.add(RedisBytes.optional(diedAt));
        due.forEach((id, when) -> {
            args.add(IdEncoding.bytes(id));
            args.add(RedisBytes.due(when));
        });
        String object = due.size() + " tasks";
        return scripts.run(Script.REDRIVE, shard, sharding, "redrive", object, args.toArray(byte[][]::new))
                .thenApply(reply -> new ShardRedrive(reply.list(1).verdicts(), reply.time(0)));
    }

    /**
     * Deletes dead tasks. Returns one value for each id, in order: {@code true} if the task was deleted, {@code false}
     * if it is not dead and was not changed. Fails with {@link TaskMigratingException} if a task is migrating to
     * another shard.
     *
     * @param ids 1 to {@link TaskStore#MAX_BATCH}, without duplicates
     * @param diedAt deletes only tasks that died at this time; null for any
     */
    public CompletableFuture<List<Boolean>> discard(
            Shard shard, ShardingVersion sharding, List<String> ids, @Nullable Instant diedAt) {
        byte[] time = RedisBytes.optional(diedAt);
        return discard(shard, sharding, ids.stream().map(id -> new byte[][] {IdEncoding.bytes(id), time}));
    }

    /**
     * Like {@link #discard}, but with a time of death for each task. Another task with the same id may have died since
     * the caller read it.
     *
     * @param deaths 1 to {@link TaskStore#MAX_BATCH}, without duplicate ids
     */
    public CompletableFuture<List<Boolean>> discardDeaths(
            Shard shard, ShardingVersion sharding, List<Position> deaths) {
        return discard(shard, sharding, deaths.stream().map(death ->
                new byte[][] {IdEncoding.bytes(death.id()), bytes(death.at().toEpochMilli())}));
    }

    private CompletableFuture<List<Boolean>> discard(Shard shard, ShardingVersion sharding, Stream<byte[][]> tasks) {
        List<byte[]> args = new ArrayList<>();
        tasks.forEach(task -> args.addAll(List.of(task)));
        String object = args.size() / 2 + " tasks";
        return scripts.run(Script.DISCARD, shard, sharding, "discard", object, args.toArray(byte[][]::new))
                .thenApply(Reply::verdicts);
    }

    /**
     * Deletes dead tasks whose retention has ended.
     *
     * @param retention minimum time since their death
     * @param limit maximum number of tasks to delete, 1 to {@link TaskStore#MAX_BATCH}
     */
    public CompletableFuture<DeadTrim> trim(Shard shard, Duration retention, int limit) {
        return scripts.run(Script.TRIM_DEAD, shard, "trim", "dead tasks", bytes(retention.toMillis()), bytes(limit))
                .thenApply(reply -> new DeadTrim(reply.isTrue(0), reply.list(1).ids()));
    }
}
