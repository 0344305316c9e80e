// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import io.delayqueue.internal.redis.RedisConnections;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A master that stores tasks.
 *
 * @param address address of a cluster node; null for a standalone server
 * @param commands commands that the driver routes by key
 * @param server commands for this server, for calls without keys, which the driver would otherwise send to any node
 * @param tag hash tag of keys that this server stores
 */
record Master(
        @Nullable String address,
        RedisClusterAsyncCommands<byte[], byte[]> commands,
        RedisClusterAsyncCommands<byte[], byte[]> server,
        String tag) {

    private static final String PROBE = "probe";

    /** Connects if necessary. Blocks. */
    static List<Master> of(RedisConnections connections) {
        RedisClusterAsyncCommands<byte[], byte[]> commands =
                connections.commands().join();
        if (commands instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster
                && connections.client() instanceof RedisClusterClient client) {
            return client.getPartitions().stream()
                    .filter(node -> !node.getRole().isReplica() && !node.hasNoSlots())
                    .map(node -> of(node, cluster))
                    .toList();
        }
        return List.of(new Master(null, commands, commands, PROBE));
    }

    private static Master of(RedisClusterNode node, RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster) {
        int number = 0;
        while (!node.hasSlot(SlotHash.getSlot(PROBE + number))) {
            number++;
        }
        RedisURI uri = node.getUri();
        // Connect by address, like the driver for commands with keys.
        return new Master(
                uri.getHost() + ":" + uri.getPort(),
                cluster,
                cluster.getConnection(uri.getHost(), uri.getPort()),
                PROBE + number);
    }

    /** Returns the fields that the server reports about itself. Blocks. */
    Map<String, String> info() {
        Map<String, String> fields = new HashMap<>();
        server.info().toCompletableFuture().join().lines().forEach(line -> {
            String[] parts = line.split(":", 2);
            if (parts.length == 2) {
                fields.put(parts[0], parts[1].strip());
            }
        });
        return fields;
    }
}
