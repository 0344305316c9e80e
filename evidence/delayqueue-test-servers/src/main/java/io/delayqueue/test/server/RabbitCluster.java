// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

/**
 * A real cluster of three RabbitMQ nodes on the loopback interface that a test controls, for quorum queues that survive
 * the loss of a node.
 *
 * <pre>{@code
 * try (RabbitCluster rabbit = RabbitCluster.installed()) {
 *     String addresses = rabbit.addresses(); // for spring.rabbitmq.addresses
 *     rabbit.nodes().get(0).kill();
 * }
 * }</pre>
 *
 * <p>The nodes are ordinary handles. A killed node rejoins the others when it is started.
 */
public final class RabbitCluster implements AutoCloseable {

    private static final int NODES = 3;

    private final List<RabbitServer> nodes = new ArrayList<>();
    private final ServerFolder folder = new ServerFolder("rabbit-cluster");
    private final PortMapper portMapper;

    private RabbitCluster(RabbitPrograms programs) {
        this.portMapper = new PortMapper(programs, folder);
        int first = FreePort.next();
        nodes.add(RabbitServer.ofCluster(programs, first, List.of(), portMapper));
        while (nodes.size() < NODES) {
            int port = FreePort.next();
            nodes.add(RabbitServer.ofCluster(programs, port, joining(first, port), portMapper));
        }
    }

    /**
     * From RabbitMQ 3.13 on, a node waits for the nodes in its configuration. So the first node names none, and the
     * others name the first.
     */
    private static List<String> joining(int first, int port) {
        return List.of(
                "cluster_formation.peer_discovery_backend = classic_config",
                "cluster_formation.classic_config.nodes.1 = " + RabbitServer.nodeName(first),
                "cluster_formation.classic_config.nodes.2 = " + RabbitServer.nodeName(port));
    }

    /**
     * Starts the server program of this machine three times and waits until the nodes form a cluster, which takes 15 to
     * 30 seconds.
     *
     * @throws TestServerException if there is no such program or the cluster does not start; leaves nothing behind
     */
    public static RabbitCluster installed() {
        RabbitCluster cluster = new RabbitCluster(RabbitPrograms.find());
        try {
            cluster.start();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** Starts the first node alone. The others join it, so they cannot form two clusters. */
    private void start() {
        nodes.get(0).start();
        List<CompletableFuture<Void>> joining = nodes.subList(1, NODES).stream()
                .map(node -> CompletableFuture.runAsync(node::start))
                .toList();
        try {
            joining.forEach(CompletableFuture::join);
        } catch (CompletionException e) {
            throw new TestServerException("A node did not join the cluster", e.getCause());
        }
        String status = nodes.get(0).ctl("cluster_status");
        for (RabbitServer node : nodes) {
            if (!status.contains(RabbitServer.nodeName(node.port()))) {
                throw new TestServerException(node + " is not in the cluster:\n" + status);
            }
        }
    }

    /** Returns the nodes, running or not. */
    public List<RabbitServer> nodes() {
        return List.copyOf(nodes);
    }

    /** Returns all nodes in the format of {@code spring.rabbitmq.addresses}. Clients try them in this order. */
    public String addresses() {
        return nodes.stream().map(node -> node.uri().toString()).collect(Collectors.joining(","));
    }

    /** Ends all nodes and deletes their data. */
    @Override
    public void close() {
        nodes.forEach(RabbitServer::close);
        portMapper.stop();
        folder.delete();
    }
}
