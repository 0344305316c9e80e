// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static io.delayqueue.internal.redis.RedisBytes.bytes;

import io.delayqueue.internal.store.Shard;
import java.util.Arrays;
import java.util.List;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** All keys that Redis may have of one queue. */
record StoredQueue(String queue, RedisKeys keys) {

    /** Deletes them, those of a slot together, and what all queues of the prefix share. Blocks. */
    void delete(RedisConnectionFactory connections, int shards) {
        List<byte[]> ofQueue = List.of(
                bytes(keys.layout(queue)),
                bytes(keys.forwarder(queue)),
                bytes(keys.rates(queue)),
                bytes(keys.migrator(queue)));
        try (RedisConnection connection = connections.getConnection()) {
            for (int index = 0; index < shards; index++) {
                ShardKeys shard = keys.of(new Shard(queue, index));
                connection
                        .keyCommands()
                        .del(Arrays.stream(ShardKey.values()).map(shard::of).toArray(byte[][]::new));
            }
            connection.keyCommands().del(ofQueue.toArray(byte[][]::new));
            connection.keyCommands().del(bytes(keys.operations()));
        }
    }
}
