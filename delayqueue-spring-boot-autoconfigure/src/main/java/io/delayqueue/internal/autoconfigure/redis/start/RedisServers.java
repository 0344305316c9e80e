// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import io.delayqueue.internal.concurrent.Causes;
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
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The masters that store the tasks, as described by {@code INFO} and {@code CONFIG GET}.
 *
 * @param all the masters
 * @param refusal why a server refused {@code INFO}, or {@code null}
 */
record RedisServers(List<RedisServer> all, @Nullable String refusal) {

    private static final List<String> CONFIGS = List.of("appendfsync", "save", "min-replicas-to-write");
    private static final int LONGEST_MESSAGE = 200;

    RedisServers {
        all = List.copyOf(all);
    }

    /**
     * Queries each master once. Blocks.
     *
     * @param configs whether to query settings that only the report needs
     * @throws RuntimeException if a server cannot be reached or does not answer
     */
    static RedisServers ask(RedisConnections connections, boolean configs) {
        RedisClusterAsyncCommands<byte[], byte[]> commands =
                connections.commands().join();
        List<Asked> asked = masters(connections, commands)
                .map(server -> server.ask(configs))
                .toList();
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

        Asked ask(boolean configs) {
            CompletableFuture<String> info = commands.info().toCompletableFuture();
            List<CompletableFuture<Map<String, String>>> settings = (configs ? CONFIGS : List.<String>of())
                    .stream()
                            .map(name -> commands.configGet(name).toCompletableFuture())
                            .toList();
            return new Asked(address, info, settings);
        }
    }

    private record Asked(
            @Nullable String address,
            CompletableFuture<String> info,
            List<CompletableFuture<Map<String, String>>> configs) {

        RedisServer answer() {
            Map<String, String> fields = new HashMap<>();
            info.join().lines().map(line -> line.split(":", 2)).forEach(line -> {
                if (line.length == 2) {
                    fields.put(line[0], line[1].strip());
                }
            });
            String refusal = null;
            for (CompletableFuture<Map<String, String>> config : configs) {
                try {
                    fields.putAll(config.join());
                } catch (CompletionException ex) {
                    if (!isRefused(ex)) {
                        throw ex;
                    }
                    refusal = rootMessage(Causes.of(ex));
                }
            }
            String name = (address != null) ? address : "on port " + fields.getOrDefault("tcp_port", "unknown");
            return RedisServer.of(name, fields::get, refusal);
        }
    }

    /**
     * One master. A component is {@code null} if the server did not report it.
     *
     * @param name its address or port
     * @param save when it takes snapshots, such as {@code 3600 1}; empty for never
     * @param minReplicasToWrite minimum number of replicas for accepting writes
     * @param configRefusal why it refused {@code CONFIG GET}
     */
    record RedisServer(
            String name,
            @Nullable String version,
            @Nullable String maxmemoryPolicy,
            @Nullable Boolean appendOnly,
            @Nullable String appendFsync,
            @Nullable String save,
            @Nullable Integer replicas,
            @Nullable Integer minReplicasToWrite,
            @Nullable String configRefusal) {

        static RedisServer of(String name, Function<String, @Nullable String> field, @Nullable String configRefusal) {
            String appendOnly = field.apply("aof_enabled");
            return new RedisServer(
                    name,
                    field.apply("redis_version"),
                    field.apply("maxmemory_policy"),
                    (appendOnly == null) ? null : appendOnly.equals("1"),
                    field.apply("appendfsync"),
                    field.apply("save"),
                    number(field.apply("connected_slaves")),
                    number(field.apply("min-replicas-to-write")),
                    configRefusal);
        }

        private static @Nullable Integer number(@Nullable String text) {
            return (text == null || !text.matches("\\d{1,9}")) ? null : Integer.valueOf(text);
        }
    }
}
