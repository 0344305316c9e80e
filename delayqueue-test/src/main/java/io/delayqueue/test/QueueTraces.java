// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.internal.redis.RedisKeys;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * What tasks that are gone leave in Redis, and later ones would meet: how far paced redrives reach, and the history. A purge
 * keeps both, as it is meant for production.
 */
final class QueueTraces {

    /** As the store names them. Its fencing tokens and its layout stay: processes go by what they know of these. */
    private static final List<String> KEYS = List.of("pace", "history");

    private final RedisKeys keys;
    private final Supplier<RedisConnectionFactory> redis;
    private final Supplier<Map<String, Integer>> shards;

    /**
     * @param redis what the store uses
     * @param shards how many shards each queue has had at most
     */
    QueueTraces(RedisKeys keys, Supplier<RedisConnectionFactory> redis, Supplier<Map<String, Integer>> shards) {
        this.keys = keys;
        this.redis = redis;
        this.shards = shards;
    }

    /** Deletes them, those of a shard together, as they are in one slot. Blocks. */
    void delete() {
        try (RedisConnection connection = redis.get().getConnection()) {
            shards.get().forEach((queue, count) -> {
                for (int shard = 0; shard < count; shard++) {
                    connection.keyCommands().del(keysOf(queue + ":" + shard));
                }
            });
        }
    }

    private byte[][] keysOf(String shard) {
        return KEYS.stream()
                .map(name -> keys.ofTag(shard, name).getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    }
}
