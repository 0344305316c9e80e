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
 * Tasks of groups, which their ids contain ({@link io.delayqueue.TaskIds#inGroup}). All tasks of a group are in one
 * shard. Threads and failures as in {@link TaskStore}.
 */
public class GroupStore extends StoreRole {

    GroupStore(StoreParts parts) {
        super(parts);
    }

    /** Reads the first live tasks of a group, one more than the limit, and as many dead ones. */
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
     * Changes live tasks of a group, and waits for replicas or a time-out of the store.
     *
     * @param replicas 0 for none
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
