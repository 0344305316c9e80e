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
public class GroupStore extends StoreRole {

    GroupStore(StoreParts parts) {
        super(parts);
    }

    /** Reads the first live and the first dead tasks of a group: of each at most one more than the limit. */
    public CompletableFuture<List<StoredTask>> page(Shard shard, ShardingVersion sharding, GroupPosition position) {
        return this.<List<Object>>run(
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
        return run(Script.GROUP_COUNT, shard, sharding, "count", prefix, IdEncoding.bytes(prefix));
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
        ScriptRequest request = request(
                Script.GROUP_CHANGE,
                shard,
                sharding,
                shard.what("change", position.prefix()),
                IdEncoding.bytes(position.prefix()),
                IdEncoding.bytes(position.from()),
                bytes(position.limit()),
                bytes(change.verb().name()),
                value,
                bytes(change.step()));
        return scripts.<List<Object>>run(replicas, request, new SendPermit())
                .thenApply(reply -> reply.map(GroupStore::changed));
    }

    private static ShardGroupChange changed(List<Object> reply) {
        List<String> begun =
                ((List<?>) reply.get(2)).stream().map(RedisBytes::id).toList();
        return new ShardGroupChange(RedisBytes.id(reply.get(0)), (Long) reply.get(1), begun, (Long) reply.get(3));
    }
}
