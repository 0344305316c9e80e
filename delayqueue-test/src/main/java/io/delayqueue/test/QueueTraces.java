// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.RedisKeys.QueueKey;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * State in Redis that outlives tasks and would affect later tests: due times reserved by a rate, the history, and the
 * limits and rates of keys. A purge does not delete it.
 *
 * @param redis the store's connections
 * @param shards the highest number of shards that each queue has had
 */
record QueueTraces(RedisKeys keys, Supplier<RedisConnections> redis, Supplier<Map<String, Integer>> shards) {

    private static final List<String> OF_A_SHARD = List.of("history", "keylimits", "tat", "running");

    /** Deletes this state. Keeps fencing tokens and shardings, because processes remember them. Blocks. */
    void delete() {
        RedisClusterAsyncCommands<byte[], byte[]> commands =
                redis.get().commands().join();
        shards.get().forEach((queue, count) -> {
            delete(commands, keys.of(QueueKey.PACE, queue));
            for (int shard = 0; shard < count; shard++) {
                for (String name : OF_A_SHARD) {
                    delete(commands, keys.ofTag(queue + ":" + shard, name));
                }
            }
        });
    }

    private static void delete(RedisClusterAsyncCommands<byte[], byte[]> commands, String key) {
        commands.del(key.getBytes(StandardCharsets.UTF_8)).toCompletableFuture().join();
    }
}
