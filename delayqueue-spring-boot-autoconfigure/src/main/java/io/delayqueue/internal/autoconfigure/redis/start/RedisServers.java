// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisErrors;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The masters that store the tasks, according to {@code INFO}.
 *
 * @param all the masters
 * @param refusal reason why a server refused {@code INFO}, or {@code null}
 */
record RedisServers(List<RedisServer> all, @Nullable String refusal) {

    private static final int LONGEST_MESSAGE = 200;

    RedisServers {
        all = List.copyOf(all);
    }

    /**
     * Queries each master once. Blocks.
     *
     * @throws RuntimeException if a server cannot be reached or does not answer
     */
    static RedisServers ask(RedisConnections connections) {
        RedisClusterAsyncCommands<byte[], byte[]> commands =
                connections.commands().join();
        List<Asked> asked = masters(connections, commands).map(Master::ask).toList();
        try {
            return new RedisServers(asked.stream().map(Asked::answer).toList(), null);
        } catch (RuntimeException ex) {
            if (isRefused(ex)) {
                return new RedisServers(List.of(), rootMessage(ex));
            }
            throw ex;
        }
    }

    private static Stream<Master> masters(
            RedisConnections connections, RedisClusterAsyncCommands<byte[], byte[]> commands) {
        if (commands instanceof RedisAdvancedClusterAsyncCommands<byte[], byte[]> cluster
                && connections.client() instanceof RedisClusterClient client) {
            return client.getPartitions().stream()
                    .filter(node -> !node.getRole().isReplica() && !node.hasNoSlots())
                    .map(RedisClusterNode::getUri)
                    .map(uri -> new Master(
                            uri.getHost() + ":" + uri.getPort(), cluster.getConnection(uri.getHost(), uri.getPort())));
        }
        return Stream.of(new Master(null, commands));
    }

    /** Returns whether the server permanently refused a command. */
    static boolean isRefused(Throwable error) {
        for (Throwable each = error; each != null; each = each.getCause()) {
            if (each instanceof RedisCommandExecutionException) {
                return !RedisErrors.isTransientReply(String.valueOf(each.getMessage()));
            }
        }
        return false;
    }

    /** Returns the message of the root cause, sanitized for the log. */
    static String rootMessage(Throwable error) {
        Throwable root = error;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return PrintableText.of(String.valueOf(root.getMessage()), LONGEST_MESSAGE);
    }

    /** @param address address of a cluster node, or {@code null} for a standalone server */
    private record Master(@Nullable String address, RedisClusterAsyncCommands<byte[], byte[]> commands) {

        Asked ask() {
            return new Asked(address, commands.info().toCompletableFuture());
        }
    }

    private record Asked(@Nullable String address, CompletableFuture<String> info) {

        RedisServer answer() {
            Map<String, String> fields = new HashMap<>();
            info.join().lines().map(line -> line.split(":", 2)).forEach(line -> {
                if (line.length == 2) {
                    fields.put(line[0], line[1].strip());
                }
            });
            String name = (address != null) ? address : "on port " + fields.getOrDefault("tcp_port", "unknown");
            return RedisServer.of(name, fields);
        }
    }

    /**
     * One master. A component is {@code null} if the server did not report it.
     *
     * @param name address or port of the master
     */
    record RedisServer(
            String name,
            @Nullable String version,
            @Nullable String maxmemoryPolicy,
            @Nullable Boolean appendOnly,
            @Nullable Integer replicas) {

        static RedisServer of(String name, Map<String, String> fields) {
            String appendOnly = fields.get("aof_enabled");
            String replicas = fields.get("connected_slaves");
            return new RedisServer(
                    name,
                    fields.get("redis_version"),
                    fields.get("maxmemory_policy"),
                    (appendOnly == null) ? null : appendOnly.equals("1"),
                    (replicas == null || !replicas.matches("\\d{1,9}")) ? null : Integer.valueOf(replicas));
        }
    }
}
