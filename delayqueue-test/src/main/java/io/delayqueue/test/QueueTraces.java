// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What tasks that are gone leave in Redis, and later ones would meet: how far due times are reserved at a pace, and the history.
 * A purge keeps both, as it is meant for production.
 */
final class QueueTraces {

    private final RedisKeys keys;
    private final Supplier<RedisConnections> redis;
    private final Supplier<Map<String, Integer>> shards;

    /**
     * @param redis what the store uses
     * @param shards how many shards each queue has had at most
     */
    QueueTraces(RedisKeys keys, Supplier<RedisConnections> redis, Supplier<Map<String, Integer>> shards) {
        this.keys = keys;
        this.redis = redis;
        this.shards = shards;
    }

    /** Deletes them. Fencing tokens and shardings stay: processes go by what they know of these. Blocks. */
    void delete() {
        RedisClusterAsyncCommands<byte[], byte[]> commands =
                redis.get().commands().join();
        shards.get().forEach((queue, count) -> {
            delete(commands, keys.pace(queue));
            for (int shard = 0; shard < count; shard++) {
                delete(commands, keys.ofTag(queue + ":" + shard, "history"));
            }
        });
    }

    private static void delete(RedisClusterAsyncCommands<byte[], byte[]> commands, String key) {
        commands.del(key.getBytes(StandardCharsets.UTF_8)).toCompletableFuture().join();
    }
}
