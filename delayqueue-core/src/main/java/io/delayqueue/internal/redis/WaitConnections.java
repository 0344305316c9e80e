// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * The lines by how many replicas they wait for, opened when they are first needed: calls that ask for one replica do
 * not wait for two. In a cluster each node has its own, as {@code WAIT} has to go where the script went, and
 * redirections are not followed: the call is made again when the topology has been read anew.
 */
final class WaitConnections {

    private static final long BETWEEN_CHANGES_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final LettuceConnectionFactory connectionFactory;
    private final Duration patience;
    private final ConcurrentMap<Integer, CompletableFuture<Lines>> opened = new ConcurrentHashMap<>();
    private final ConcurrentMap<Integer, Long> lastChangeNanos = new ConcurrentHashMap<>();

    WaitConnections(LettuceConnectionFactory connectionFactory, Duration patience) {
        this.connectionFactory = connectionFactory;
        this.patience = patience;
    }

    /** The line to the master of a key. Does not block; one attempt to connect at a time. */
    CompletableFuture<WaitConnection> to(int replicas, byte[] key) {
        return opened.compute(
                        replicas,
                        (count, before) -> (before != null && !before.isCompletedExceptionally())
                                ? before
                                : CompletableFuture.supplyAsync(() -> open(count), ScriptCall::onNewThread))
                .thenCompose(lines -> lines.to(key));
    }

    private Lines open(int replicas) {
        AbstractRedisClient client = connectionFactory.getRequiredNativeClient();
        if (client instanceof RedisClusterClient cluster) {
            return new OfCluster(cluster, cluster.connect(ByteArrayCodec.INSTANCE), replicas);
        }
        WaitConnection line =
                new WaitConnection(((RedisClient) client).connect(ByteArrayCodec.INSTANCE), replicas, patience);
        return new OfMaster(line);
    }

    /** A new line finds the new master, or the topology is read anew; not too often. */
    void masterChanged(int replicas, WaitConnection failed) {
        if (isCurrent(replicas, failed) && isTimeForChange(replicas)) {
            if (connectionFactory.getRequiredNativeClient() instanceof RedisClusterClient cluster) {
                cluster.refreshPartitionsAsync();
            } else {
                closed(replicas, failed);
                failed.close();
            }
        }
    }

    private boolean isTimeForChange(int replicas) {
        long now = System.nanoTime();
        Long last = lastChangeNanos.putIfAbsent(replicas, now);
        return last == null || (now - last > BETWEEN_CHANGES_NANOS && lastChangeNanos.replace(replicas, last, now));
    }

    /** A line that somebody has closed never opens again; those to other nodes stay. */
    void closed(int replicas, WaitConnection line) {
        opened.computeIfPresent(
                replicas, (count, lines) -> isIn(lines, line) && !lines.join().opensAnother(line) ? null : lines);
    }

    private boolean isCurrent(int replicas, WaitConnection line) {
        CompletableFuture<Lines> lines = opened.get(replicas);
        return lines != null && isIn(lines, line);
    }

    private static boolean isIn(CompletableFuture<Lines> lines, WaitConnection line) {
        return lines.isDone()
                && !lines.isCompletedExceptionally()
                && lines.join().has(line);
    }

    private interface Lines {

        CompletableFuture<WaitConnection> to(byte[] key);

        boolean has(WaitConnection line);

        /** Forgets the line. False if there can be no other line in its place, and these are of no more use. */
        boolean opensAnother(WaitConnection line);
    }

    private record OfMaster(WaitConnection line) implements Lines {

        @Override
        public CompletableFuture<WaitConnection> to(byte[] key) {
            return CompletableFuture.completedFuture(line);
        }

        @Override
        public boolean has(WaitConnection other) {
            return line == other;
        }

        @Override
        public boolean opensAnother(WaitConnection closed) {
            return false;
        }
    }

    private final class OfCluster implements Lines {

        private final RedisClusterClient client;
        private final StatefulRedisClusterConnection<byte[], byte[]> connection;
        private final int replicas;
        private final ConcurrentMap<String, CompletableFuture<WaitConnection>> nodes = new ConcurrentHashMap<>();

        OfCluster(RedisClusterClient client, StatefulRedisClusterConnection<byte[], byte[]> connection, int replicas) {
            this.client = client;
            this.connection = connection;
            this.replicas = replicas;
        }

        @Override
        public CompletableFuture<WaitConnection> to(byte[] key) {
            RedisClusterNode master = client.getPartitions().getMasterBySlot(SlotHash.getSlot(key));
            if (master == null) {
                return CompletableFuture.failedFuture(
                        new RedisConnectionException("No master is known for the key's slot"));
            }
            // By its id, not by its address: only then is MOVED not followed behind our back.
            return nodes.compute(
                    master.getNodeId(),
                    (id, before) -> (before != null && !before.isCompletedExceptionally())
                            ? before
                            : connection
                                    .getConnectionAsync(id)
                                    .thenApply(node -> new WaitConnection(node, replicas, patience)));
        }

        @Override
        public boolean has(WaitConnection line) {
            return nodes.values().stream().anyMatch(node -> isTo(node, line));
        }

        @Override
        public boolean opensAnother(WaitConnection line) {
            nodes.values().removeIf(node -> isTo(node, line));
            return connection.isOpen();
        }

        private static boolean isTo(CompletableFuture<WaitConnection> node, WaitConnection line) {
            return node.isDone() && !node.isCompletedExceptionally() && node.join() == line;
        }
    }
}
