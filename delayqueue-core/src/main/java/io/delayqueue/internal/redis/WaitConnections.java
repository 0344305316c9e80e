// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The connections for {@code WAIT}. There is one for each number of replicas, so that calls that require one replica do
 * not wait for two. In a cluster, each master has its own connections, because {@code WAIT} must go to the server that
 * ran the script. On these connections Lettuce does not follow redirections; the call is repeated after the topology
 * has been reloaded.
 */
final class WaitConnections {

    private static final long BETWEEN_REFRESHES_NANOS = Duration.ofMillis(500).toNanos();

    private final RedisConnections connections;
    private final Duration patience;
    private final ConcurrentMap<Target, LazyConnection<WaitConnection>> targets = new ConcurrentHashMap<>();
    private final ConcurrentMap<Integer, LazyConnection<StatefulRedisClusterConnection<byte[], byte[]>>> clusters =
            new ConcurrentHashMap<>();
    private final AtomicLong refreshedAt = new AtomicLong(System.nanoTime() - BETWEEN_REFRESHES_NANOS);

    /** @param patience how long to wait for replicas */
    WaitConnections(RedisConnections connections, Duration patience) {
        this.connections = connections;
        this.patience = patience;
    }

    /** Returns the connection to the master of a key. Does not block. */
    CompletableFuture<WaitConnection> to(int replicas, byte[] key) {
        if (connections.client() instanceof RedisClusterClient cluster) {
            return clusters.computeIfAbsent(
                            replicas,
                            count -> new LazyConnection<>(
                                    () -> cluster.connect(ByteArrayCodec.INSTANCE),
                                    StatefulRedisClusterConnection::closeAsync))
                    .get()
                    .thenCompose(connection -> toMaster(cluster, connection, replicas, key));
        }
        RedisClient client = (RedisClient) connections.client();
        return to(new Target(replicas, RedisConnections.ONLY_SERVER), () -> client.connect(ByteArrayCodec.INSTANCE));
    }

    private CompletableFuture<WaitConnection> toMaster(
            RedisClusterClient cluster,
            StatefulRedisClusterConnection<byte[], byte[]> connection,
            int replicas,
            byte[] key) {
        RedisClusterNode master = cluster.getPartitions().getMasterBySlot(SlotHash.getSlot(key));
        if (master == null) {
            return CompletableFuture.failedFuture(
                    new RedisConnectionException("The master of the key's slot is unknown"));
        }
        // Connect by id, not by address: only then does Lettuce not follow MOVED.
        String id = master.getNodeId();
        return to(new Target(replicas, id), () -> connection.getConnection(id));
    }

    private CompletableFuture<WaitConnection> to(
            Target target, Supplier<StatefulRedisConnection<byte[], byte[]>> connect) {
        return targets.computeIfAbsent(
                        target,
                        absent -> new LazyConnection<>(
                                () -> new WaitConnection(
                                        connect.get(),
                                        target.replicas,
                                        patience,
                                        (failed, failure) -> replaceAfter(target, failed, failure)),
                                WaitConnection::close))
                .get();
    }

    private void replaceAfter(Target target, WaitConnection failed, Throwable failure) {
        boolean wrongServer = RedisErrors.isReplacedMaster(failure) || RedisErrors.isRedirection(failure);
        if (wrongServer && connections.client() instanceof RedisClusterClient cluster) {
            refresh(cluster);
        } else if (wrongServer
                || RedisErrors.isClosed(failure)
                // A firewall may have dropped an idle connection silently.
                || (failure instanceof RedisCommandTimeoutException && !connections.isCluster())) {
            Objects.requireNonNull(targets.get(target)).replace(failed);
        }
    }

    private void refresh(RedisClusterClient cluster) {
        long now = System.nanoTime();
        long last = refreshedAt.get();
        if (now - last >= BETWEEN_REFRESHES_NANOS && refreshedAt.compareAndSet(last, now)) {
            cluster.refreshPartitionsAsync();
        }
    }

    /** @param server the node, in a cluster */
    private record Target(int replicas, String server) {}
}
