// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Builder for a {@link RedisCluster}, with three masters by default. Not thread-safe. */
public final class RedisClusterBuilder {

    private final RedisServerBuilder.Source source;
    private final List<String> config = new ArrayList<>();
    private int masters = 3;
    private int replicas;
    private Duration nodeTimeout = Duration.ofSeconds(5);

    RedisClusterBuilder(RedisServerBuilder.Source source) {
        this.source = source;
    }

    /** Sets the number of masters, at least three, so that a majority survives the loss of one. */
    public RedisClusterBuilder masters(int masters) {
        this.masters = masters;
        return this;
    }

    /** Sets the number of replicas of each master; none by default. */
    public RedisClusterBuilder replicas(int replicas) {
        this.replicas = replicas;
        return this;
    }

    /** Sets how long a node may be silent before it counts as failed ({@code cluster-node-timeout}); 5 s by default. */
    public RedisClusterBuilder nodeTimeout(Duration nodeTimeout) {
        this.nodeTimeout = nodeTimeout;
        return this;
    }

    /** Adds a line to the {@code redis.conf} of every node. */
    public RedisClusterBuilder config(String line) {
        config.add(line);
        return this;
    }

    /**
     * Starts the nodes and forms a cluster; leaves nothing behind if that fails. Takes two to three seconds.
     *
     * @throws TestServerException if this machine has no such server, or the cluster does not start
     */
    public RedisCluster start() {
        ServerFolder programFolder = new ServerFolder("redis-program");
        List<RedisServer> nodes = new ArrayList<>();
        RedisCluster cluster = null;
        try {
            RedisExecutable executable = RedisServerBuilder.executable(source, programFolder.path());
            for (int i = 0; i < masters * (1 + replicas); i++) {
                nodes.add(new RedisServer(
                        executable, new ServerFolder("redis-node"), FreePort.nextOfClusterNode(), nodeConfig()));
                nodes.get(i).start();
            }
            cluster = new RedisCluster(nodes, programFolder);
            cluster.form(masters);
            return cluster;
        } catch (RuntimeException e) {
            if (cluster != null) {
                cluster.close();
            } else {
                nodes.forEach(RedisServer::close);
                programFolder.delete();
            }
            throw e;
        }
    }

    private List<String> nodeConfig() {
        List<String> lines = new ArrayList<>(List.of(
                "cluster-enabled yes",
                "cluster-config-file nodes.conf",
                "cluster-announce-ip 127.0.0.1",
                "cluster-node-timeout " + nodeTimeout.toMillis(),
                "cluster-replica-validity-factor 0",
                "repl-diskless-sync yes",
                "repl-diskless-sync-delay 0"));
        lines.addAll(config);
        return lines;
    }
}
