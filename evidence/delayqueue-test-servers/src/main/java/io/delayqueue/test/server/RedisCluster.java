// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.ClusterPartitionParser;
import io.lettuce.core.cluster.models.partitions.Partitions;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A real Redis Cluster of {@code redis-server} processes on the loopback interface that a test controls.
 *
 * <pre>{@code
 * try (RedisCluster cluster = RedisCluster.installed().replicas(1).start()) {
 *     cluster.masterOf("dq:{orders:0}:index").kill();              // its replica takes over after the node time-out
 *     cluster.failover(cluster.replicaOf("dq:{orders:1}:index")); // takes over at once, in good order
 * }
 * }</pre>
 *
 * <p>The nodes are ordinary handles: each can be killed, frozen and started again on its port and data. Calls block
 * until they have taken effect, are thread-safe, and fail with {@link TestServerException} or the driver's exceptions.
 */
public final class RedisCluster implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final List<RedisServer> nodes;
    private final ServerFolder programFolder;
    private final RedisCalls calls = new RedisCalls();

    RedisCluster(List<RedisServer> nodes, ServerFolder programFolder) {
        this.nodes = List.copyOf(nodes);
        this.programFolder = programFolder;
    }

    /** Returns a builder for a cluster of the {@code redis-server} on the {@code PATH}. */
    public static RedisClusterBuilder installed() {
        return new RedisClusterBuilder(RedisServerBuilder.Source.INSTALLED);
    }

    /** Returns a builder for a cluster of the executable in the {@code embedded-redis} jar, Redis 6.2. */
    public static RedisClusterBuilder embedded() {
        return new RedisClusterBuilder(RedisServerBuilder.Source.EMBEDDED);
    }

    /** Returns all nodes, masters and replicas, running or not. */
    public List<RedisServer> nodes() {
        return nodes;
    }

    /** Returns the addresses of all nodes. */
    public List<URI> uris() {
        return nodes.stream().map(RedisServer::uri).toList();
    }

    /** Returns the slot of a key. Only the text inside the first braces counts. */
    public static int slotOf(String key) {
        return SlotHash.getSlot(key);
    }

    /** Returns the node that serves the key, according to a running node. */
    public RedisServer masterOf(String key) {
        return server(masterNode(slotOf(key)));
    }

    /** Returns a running replica of the node that serves the key. */
    public RedisServer replicaOf(String key) {
        String master = masterNode(slotOf(key)).getNodeId();
        return topology().stream()
                .filter(node -> master.equals(node.getSlaveOf()))
                .map(this::server)
                .filter(RedisServer::isRunning)
                .findFirst()
                .orElseThrow(() -> new TestServerException("No running replica of the master of " + key));
    }

    /** Returns a running master that does not serve the key. */
    public RedisServer otherMasterThan(String key) {
        RedisServer owner = masterOf(key);
        return topology().stream()
                .filter(node -> node.getRole().isUpstream() && !node.getSlots().isEmpty())
                .map(this::server)
                .filter(node -> node != owner && node.isRunning())
                .findFirst()
                .orElseThrow(() -> new TestServerException("No other running master than that of " + key));
    }

    /** Makes a replica the master, with the old one's help ({@code CLUSTER FAILOVER}). */
    public void failover(RedisServer replica) {
        calls.on(replica, redis -> redis.clusterFailover(false));
        await(
                "a failover to " + replica,
                () -> calls.on(replica, redis -> "master".equals(redis.role().get(0))));
    }

    /**
     * Prepares the migration of one slot with its keys to another master, step by step while clients continue. Changes
     * nothing yet.
     */
    public SlotMigration migration(int slot, RedisServer target) {
        return new SlotMigration(calls, nodes, slot, server(masterNode(slot)), target);
    }

    /** Waits until every running node sees the cluster serve all slots. */
    public void awaitHealthy() {
        await(
                "the cluster to serve all slots",
                () -> nodes.stream()
                        .filter(RedisServer::isRunning)
                        .allMatch(node ->
                                calls.on(node, redis -> redis.clusterInfo().contains("cluster_state:ok"))));
    }

    /**
     * Forms a cluster from the running servers: the first ones serve the slots, and the others become their replicas in
     * turn.
     */
    void form(int masters) {
        for (int i = 0; i < nodes.size(); i++) {
            int epoch = i + 1;
            calls.on(nodes.get(i), redis -> redis.clusterSetConfigEpoch(epoch));
        }
        for (int i = 0; i < masters; i++) {
            int from = i * SlotHash.SLOT_COUNT / masters;
            int to = (i + 1) * SlotHash.SLOT_COUNT / masters;
            int[] slots = java.util.stream.IntStream.range(from, to).toArray();
            calls.on(nodes.get(i), redis -> redis.clusterAddSlots(slots));
        }
        for (RedisServer node : nodes.subList(1, nodes.size())) {
            calls.on(nodes.get(0), redis -> redis.clusterMeet(node.host(), node.port()));
        }
        await("the nodes to meet", () -> everyNodeKnows("cluster_known_nodes:" + nodes.size()));
        for (int i = masters; i < nodes.size(); i++) {
            String master = calls.on(nodes.get(i % masters), redis -> redis.clusterMyId());
            calls.on(nodes.get(i), redis -> redis.clusterReplicate(master));
        }
        awaitHealthy();
        await(
                "the replicas to follow",
                () -> nodes.subList(masters, nodes.size()).stream()
                        .allMatch(node -> calls.on(node, redis -> redis.info("replication"))
                                .contains("master_link_status:up")));
        await(
                "all nodes to see the replicas",
                () -> nodes.stream()
                        .allMatch(node -> topologyOf(node).stream()
                                        .filter(seen -> seen.getRole().isReplica())
                                        .count()
                                == nodes.size() - masters));
    }

    private boolean everyNodeKnows(String fact) {
        return nodes.stream()
                .allMatch(node -> calls.on(node, redis -> redis.clusterInfo().contains(fact)));
    }

    private RedisClusterNode masterNode(int slot) {
        RedisClusterNode node = topology().getPartitionBySlot(slot);
        if (node == null) {
            throw new TestServerException("No node serves slot " + slot);
        }
        return node;
    }

    private Partitions topology() {
        return nodes.stream()
                .filter(RedisServer::isRunning)
                .findFirst()
                .map(this::topologyOf)
                .orElseThrow(() -> new TestServerException("No node of the cluster runs"));
    }

    private Partitions topologyOf(RedisServer node) {
        String nodes = calls.on(node, redis -> redis.clusterNodes());
        return ClusterPartitionParser.parse(nodes);
    }

    private RedisServer server(RedisClusterNode node) {
        return nodes.stream()
                .filter(server -> server.port() == node.getUri().getPort())
                .findFirst()
                .orElseThrow(() -> new TestServerException("Not a node of ours: " + node.getUri()));
    }

    private static void await(String what, BooleanSupplier condition) {
        if (!Pause.until(LIMIT, condition)) {
            throw new TestServerException("Waited " + LIMIT.toSeconds() + " s in vain for " + what);
        }
    }

    /** Ends all nodes and deletes their data. */
    @Override
    public void close() {
        calls.close();
        nodes.forEach(RedisServer::close);
        programFolder.delete();
    }
}
