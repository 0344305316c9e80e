// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.RedisBytes.bytes;

import io.delayqueue.internal.redis.RedisKeys.QueueKey;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** All keys of one queue that may exist in Redis. */
public record StoredQueue(String queue, RedisKeys keys) {

    /**
     * Deletes these keys, and the keys that all queues of the prefix share, with one call per slot. For tests. Blocks.
     * A process that still uses the queue may write some of the keys again.
     *
     * @param shards number of shards to delete, starting at 0
     */
    public void delete(RedisConnections connections, int shards) {
        RedisClusterAsyncCommands<byte[], byte[]> commands =
                connections.commands().join();
        List<RedisFuture<Long>> deletions = new ArrayList<>();
        for (int index = 0; index < shards; index++) {
            ShardKeys shard = keys.ofShard(queue, index);
            deletions.add(
                    commands.del(Arrays.stream(ShardKey.values()).map(shard::of).toArray(byte[][]::new)));
        }
        deletions.add(commands.del(Arrays.stream(QueueKey.values())
                .map(key -> bytes(keys.of(key, queue)))
                .toArray(byte[][]::new)));
        deletions.add(commands.del(bytes(keys.operations())));
        deletions.add(commands.del(bytes(keys.audit())));
        deletions.add(commands.del(bytes(keys.queues()), bytes(keys.instances())));
        deletions.forEach(deletion -> deletion.toCompletableFuture().join());
    }
}
