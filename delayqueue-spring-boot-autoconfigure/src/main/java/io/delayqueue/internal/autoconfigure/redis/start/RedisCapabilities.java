// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import io.delayqueue.TaskStoreException;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisErrors;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.store.TaskStore;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;

/**
 * Checks which features a Redis server or its user lacks: commands, scripts, keys, and calls of the maximum size. Tries
 * each feature and checks the result, instead of relying on the server's description or error texts. Takes one round
 * trip, or two if the server does not know the script. In a cluster, checks each master.
 */
final class RedisCapabilities {

    private final RedisConnections connections;
    private final RedisKeys keys;
    private final Duration timeout;

    /**
     * @param connections the connections of the {@link TaskStore}
     * @param keys names of the keys to use; no key remains afterwards
     * @param timeout maximum duration of each command
     */
    RedisCapabilities(RedisConnections connections, RedisKeys keys, Duration timeout) {
        this.connections = connections;
        this.keys = keys;
        this.timeout = timeout;
    }

    /**
     * Runs the check. Blocks.
     *
     * @param replicas whether calls wait for replicas
     * @throws TaskStoreException if Redis cannot be reached, or temporarily refuses every call
     */
    Missing ask(boolean replicas) {
        RedisClusterAsyncCommands<byte[], byte[]> commands = commands();
        List<String> missing = new ArrayList<>();
        if (commands instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster
                && connections.client() instanceof RedisClusterClient client) {
            for (RedisClusterNode node : client.getPartitions()) {
                if (!node.getRole().isReplica() && !node.hasNoSlots()) {
                    String host = node.getUri().getHost();
                    int port = node.getUri().getPort();
                    String where = " (on " + host + ":" + port + ")";
                    // by address, because the driver sends commands with keys on that connection
                    new RedisProbe(commands, () -> cluster.getConnection(host, port), timeout)
                            .missing(ProbeKeys.of(keys, tagOf(node)), replicas)
                            .forEach(capability -> missing.add(capability + where));
                }
            }
        } else {
            missing.addAll(
                    new RedisProbe(commands, () -> commands, timeout).missing(ProbeKeys.of(keys, "probe"), replicas));
        }
        return Missing.of(missing);
    }

    private RedisClusterAsyncCommands<byte[], byte[]> commands() {
        try {
            return connections.commands().join();
        } catch (CompletionException ex) {
            throw RedisErrors.translate(RedisProbe.WHAT, Causes.of(ex), false);
        }
    }

    /** Returns a hash tag for a slot that the node serves. */
    private static String tagOf(RedisClusterNode node) {
        int number = 0;
        while (!node.hasSlot(SlotHash.getSlot("probe" + number))) {
            number++;
        }
        return "probe" + number;
    }

    /**
     * The missing features, as entries of a list.
     *
     * @param needed features without which calls fail
     * @param wanted features without which tasks are late, but not lost
     */
    record Missing(List<String> needed, List<String> wanted) {

        Missing {
            needed = List.copyOf(needed);
            wanted = List.copyOf(wanted);
        }

        static Missing of(List<String> capabilities) {
            TreeSet<String> needed = new TreeSet<>(capabilities);
            needed.removeIf(capability -> capability.startsWith(RedisProbe.PUBLISH));
            TreeSet<String> wanted = new TreeSet<>(capabilities);
            wanted.removeIf(capability -> !capability.startsWith(RedisProbe.PUBLISH));
            return new Missing(List.copyOf(needed), List.copyOf(wanted));
        }
    }
}
