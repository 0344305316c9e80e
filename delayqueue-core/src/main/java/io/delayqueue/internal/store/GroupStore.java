// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.bytes;

import io.delayqueue.internal.calls.Replicated;
import io.delayqueue.internal.calls.SendPermit;
import io.delayqueue.internal.redis.IdEncoding;
import io.delayqueue.internal.redis.RedisBytes;
import io.delayqueue.internal.redis.Script;
import io.delayqueue.internal.redis.ScriptRequest;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Calls on groups of tasks. A task's id contains its group ({@link io.delayqueue.TaskIds#inGroup}). All tasks of a
 * group are in one shard. Threads and failures as in {@link TaskStore}.
 */
public record GroupStore(StoreScripts scripts) {

    /** Reads the first live and the first dead tasks of a group: of each at most one more than the limit. */
    public CompletableFuture<List<StoredTask>> page(Shard shard, ShardingVersion sharding, GroupPosition position) {
        return scripts.run(
                        Script.GROUP_PAGE,
                        shard,
                        sharding,
                        "read",
                        position.prefix(),
                        IdEncoding.bytes(position.prefix()),
                        IdEncoding.bytes(position.from()),
                        bytes(position.limit()))
                .thenApply(StoredTasks::page);
    }

    /** Counts the live tasks of the group whose ids start with this prefix. */
    public CompletableFuture<Long> count(Shard shard, ShardingVersion sharding, String prefix) {
        return scripts.run(Script.GROUP_COUNT, shard, sharding, "count", prefix, IdEncoding.bytes(prefix))
                .thenApply(reply -> reply.number(0));
    }

    /**
     * Changes live tasks of a group. Waits for the replicas, at most until the store's time-out.
     *
     * @param replicas number of replicas to wait for; 0 for none
     */
    public CompletableFuture<Replicated<ShardGroupChange>> change(
            Shard shard, ShardingVersion sharding, GroupPosition position, GroupChange change, int replicas) {
        byte[] value = switch (change.verb()) {
            case CANCEL -> new byte[0];
            case DUE -> RedisBytes.due(Objects.requireNonNull(change.due()));
            case SHIFT -> bytes(change.shift().toMillis());
        };
        ScriptRequest request = scripts.request(
                Script.GROUP_CHANGE,
                shard,
                sharding,
                "change",
                position.prefix(),
                IdEncoding.bytes(position.prefix()),
                IdEncoding.bytes(position.from()),
                bytes(position.limit()),
                bytes(change.verb().name()),
                value,
                bytes(change.step()));
        return scripts.runner()
                .run(replicas, request, new SendPermit())
                .thenApply(reply -> reply.map(answer -> changed(Reply.of(request, answer))));
    }

    private static ShardGroupChange changed(Reply reply) {
        return new ShardGroupChange(reply.id(0), reply.number(1), reply.list(2).ids(), reply.number(3));
    }
}
