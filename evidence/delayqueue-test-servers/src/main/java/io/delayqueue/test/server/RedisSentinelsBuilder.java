// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Builder for {@link RedisSentinels}, with two replicas by default. Not thread-safe. */
public final class RedisSentinelsBuilder {

    private final RedisServerBuilder.Source source;
    private final List<String> config = new ArrayList<>();
    private int replicas = 2;
    private Duration downAfter = Duration.ofSeconds(2);

    RedisSentinelsBuilder(RedisServerBuilder.Source source) {
        this.source = source;
    }

    /** Sets the number of replicas of the master. */
    public RedisSentinelsBuilder replicas(int replicas) {
        this.replicas = replicas;
        return this;
    }

    /**
     * Sets how long the master may be silent before it counts as down ({@code down-after-milliseconds}); 2 s by
     * default.
     */
    public RedisSentinelsBuilder downAfter(Duration downAfter) {
        this.downAfter = downAfter;
        return this;
    }

    /** Adds a line to the {@code redis.conf} of master and replicas. */
    public RedisSentinelsBuilder config(String line) {
        config.add(line);
        return this;
    }

    /**
     * Starts the servers and waits until the Sentinels know each other and the replicas; leaves nothing behind if that
     * fails. Takes about four seconds.
     *
     * @throws TestServerException if this machine has no such server, or the servers do not start
     */
    public RedisSentinels start() {
        ServerFolder programFolder = new ServerFolder("redis-program");
        List<RedisServer> servers = new ArrayList<>();
        List<RedisServer> sentinels = new ArrayList<>();
        RedisSentinels handle = null;
        try {
            RedisExecutable executable = RedisServerBuilder.executable(source, programFolder.path());
            int masterPort = FreePort.next();
            for (int i = 0; i <= replicas; i++) {
                int port = i == 0 ? masterPort : FreePort.next();
                servers.add(
                        new RedisServer(executable, new ServerFolder("redis"), port, serverConfig(port, masterPort)));
                servers.get(i).start();
            }
            for (int i = 0; i < RedisSentinels.SENTINELS; i++) {
                sentinels.add(RedisServer.sentinel(
                        executable, new ServerFolder("sentinel"), FreePort.next(), sentinelConfig(masterPort)));
                sentinels.get(i).start();
            }
            handle = new RedisSentinels(servers, sentinels, programFolder);
            handle.awaitHealthy();
            return handle;
        } catch (RuntimeException e) {
            if (handle != null) {
                handle.close();
            } else {
                sentinels.forEach(RedisServer::close);
                servers.forEach(RedisServer::close);
                programFolder.delete();
            }
            throw e;
        }
    }

    private List<String> serverConfig(int port, int masterPort) {
        List<String> lines = new ArrayList<>(
                List.of("replica-announce-ip 127.0.0.1", "repl-diskless-sync yes", "repl-diskless-sync-delay 0"));
        if (port != masterPort) {
            lines.add("replicaof 127.0.0.1 " + masterPort);
        }
        lines.addAll(config);
        return lines;
    }

    private List<String> sentinelConfig(int masterPort) {
        String name = RedisSentinels.MASTER_NAME;
        return List.of(
                LeastRights.sentinelUser(),
                "sentinel announce-ip 127.0.0.1",
                "sentinel monitor " + name + " 127.0.0.1 " + masterPort + " " + (RedisSentinels.SENTINELS / 2 + 1),
                "sentinel down-after-milliseconds " + name + " " + downAfter.toMillis(),
                "sentinel failover-timeout " + name + " "
                        + downAfter.multipliedBy(5).toMillis(),
                "sentinel parallel-syncs " + name + " " + Math.max(1, replicas));
    }
}
