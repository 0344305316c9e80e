// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.load.LoadApplication;
import io.delayqueue.test.server.RedisCluster;
import io.delayqueue.test.server.RedisSentinels;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.test.server.SlotMigration;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Cells with failovers of Redis servers. */
final class FailoverCells {

    /** The number of shards of the profile. */
    static final int SHARDS = 8;

    /** Maximum time that a replica is behind its master while nothing is broken. */
    private static final Duration REPLICATION_LAG = Duration.ofSeconds(1);

    static final Duration BETWEEN = Duration.ofSeconds(8);
    /** Maximum lateness of tasks on unaffected servers. */
    private static final Duration PUNCTUAL = Duration.ofMillis(100);

    private static final Duration PROMOTION_LIMIT = Duration.ofSeconds(30);

    private static final String WAIT = "delayqueue.defaults.min-replicas=1";
    /**
     * Makes calls wait for all replicas. With a smaller number, a single replica that still follows a replaced
     * master would satisfy a call.
     */
    static final String WAIT_FOR_ALL = "delayqueue.defaults.min-replicas=2";

    private static final String OF_SENTINEL_COMMAND =
            "writes that the old master confirmed until it followed the new one, and writes that no"
                    + " replica had a second before";
    static final String OF_KILL = "writes of the last second before the kill that no replica had";

    private FailoverCells() {}

    static List<Cell> all() {
        return List.of(
                Cell.of("sentinel-failover", "Sentinels promote a replica by command", FailoverCells::sentinelFailover)
                        .on(SentinelServers::new)
                        .mayLose(OF_SENTINEL_COMMAND),
                Cell.of(
                                "sentinel-failover-wait",
                                "Sentinels promote a replica by command, and each call waits for both replicas",
                                FailoverCells::sentinelFailover)
                        .on(SentinelServers::new)
                        .with(WAIT_FOR_ALL),
                Cell.of(
                                "sentinel-switchover",
                                "Sentinels promote a replica by command while writes are held back",
                                FailoverCells::sentinelSwitchOver)
                        .on(SentinelServers::new),
                Cell.of("sentinel-kill", "The master that Sentinels watch is killed", FailoverCells::sentinelKill)
                        .on(SentinelServers::new)
                        .mayLose(OF_KILL),
                Cell.of(
                                "sentinel-kill-wait",
                                "The master that Sentinels watch is killed, and each call waits for both replicas",
                                FailoverCells::sentinelKill)
                        .on(SentinelServers::new)
                        .with(WAIT_FOR_ALL),
                ApplicationCells.atWork(Cell.of(
                                "limits-failover",
                                "Keys have a rate and a concurrency of 1; the master that Sentinels watch is killed",
                                FailoverCells::sentinelKill))
                        .on(SentinelServers::new)
                        .mayLose(OF_KILL)
                        .withKeyLimits(),
                Cell.of(
                                "cluster-failover",
                                "A replica of a cluster is promoted by command",
                                FailoverCells::clusterFailover)
                        .on(RedisClusterServers::new),
                Cell.of("cluster-kill", "A master of a cluster is killed", FailoverCells::clusterKill)
                        .on(RedisClusterServers::new)
                        .mayLose(OF_KILL),
                Cell.of(
                                "cluster-kill-wait",
                                "A master of a cluster is killed, and each call waits for a replica",
                                FailoverCells::clusterKill)
                        .on(RedisClusterServers::new)
                        .with(WAIT),
                masterAway(12),
                masterAway(48),
                masterReplaced(12),
                masterReplaced(48),
                Cell.of(
                                "cluster-migration",
                                "Slots of shards move to another master of a cluster",
                                FailoverCells::clusterMigration)
                        .on(RedisClusterServers::new));
    }

    private static void sentinelFailover(Scene scene) throws Exception {
        SentinelServers servers = scene.servers(SentinelServers.class);
        RedisSentinels redis = servers.redis();
        scene.repeat(BETWEEN, () -> {
            RedisServer before = servers.master().get();
            scene.losing(REPLICATION_LAG, "SENTINEL FAILOVER", () -> {
                redis.failover();
                servers.master().changed();
                // The Sentinels would make it a replica only after another ten seconds. Until then it would accept
                // writes and lose them.
                redis.rejoin(before);
            });
            redis.awaitHealthy();
        });
    }

    private static void sentinelSwitchOver(Scene scene) throws Exception {
        scene.repeat(BETWEEN, () -> switchOver(scene));
    }

    /** Switches over once, and waits until all replicas follow the new master. */
    static void switchOver(Scene scene) throws Exception {
        SentinelServers servers = scene.servers(SentinelServers.class);
        servers.master().get();
        scene.during("SENTINEL FAILOVER with writes held back", () -> {
            servers.redis().switchOver();
            servers.master().changed();
        });
        servers.redis().awaitHealthy();
    }

    static void sentinelKill(Scene scene) throws Exception {
        scene.repeat(BETWEEN, () -> killMaster(scene));
    }

    /** Kills the master once, and waits until it and all replicas follow the new master. */
    static void killMaster(Scene scene) throws Exception {
        SentinelServers servers = scene.servers(SentinelServers.class);
        RedisSentinels redis = servers.redis();
        RedisServer master = servers.master().get();
        scene.losing(REPLICATION_LAG, "kill -9 of the master", () -> {
            master.kill();
            redis.awaitAnotherMasterThan(master);
            servers.master().changed();
        });
        redis.rejoin(master);
        redis.awaitHealthy();
    }

    private static void clusterFailover(Scene scene) throws Exception {
        RedisCluster redis = scene.servers(RedisClusterServers.class).redis();
        int[] shard = {0};
        scene.repeat(BETWEEN, () -> {
            RedisServer replica = redis.replicaOf(index(shard[0]++));
            scene.during("CLUSTER FAILOVER", () -> redis.failover(replica));
        });
    }

    private static void clusterKill(Scene scene) throws Exception {
        RedisCluster redis = scene.servers(RedisClusterServers.class).redis();
        int[] shard = {0};
        scene.repeat(BETWEEN, () -> {
            String key = index(shard[0]++);
            RedisServer master = redis.masterOf(key);
            RedisServer replica = redis.replicaOf(key);
            scene.losing(REPLICATION_LAG, "kill -9 of a cluster's master", () -> {
                master.kill();
                awaitMaster(replica, scene);
                redis.awaitHealthy();
            });
            master.start();
            redis.awaitHealthy();
        });
    }

    private static Cell masterAway(int shards) {
        return Cell.of(
                        "cluster-master-away-" + shards,
                        "A master of a cluster is frozen, and no replica replaces it; " + shards + " shards",
                        scene -> {
                            RedisCluster redis =
                                    scene.servers(RedisClusterServers.class).redis();
                            RedisServer away = redis.masterOf(index(0));
                            scene.onTime(
                                    shardsOfOthers(redis, away, shards),
                                    PUNCTUAL,
                                    () -> scene.during("SIGSTOP of a cluster's master", () -> {
                                        away.suspend();
                                        scene.pause(scene.length());
                                        away.resume();
                                        redis.awaitHealthy();
                                    }));
                        })
                .on(() -> RedisClusterServers.goingOn(0))
                .withShards(shards);
    }

    private static Cell masterReplaced(int shards) {
        return Cell.of(
                        "cluster-master-replaced-" + shards,
                        "A master of a cluster is killed, and its replica replaces it; " + shards + " shards",
                        scene -> {
                            RedisCluster redis =
                                    scene.servers(RedisClusterServers.class).redis();
                            RedisServer away = redis.masterOf(index(0));
                            RedisServer replica = redis.replicaOf(index(0));
                            scene.onTime(shardsOfOthers(redis, away, shards), PUNCTUAL, () -> {
                                scene.losing(REPLICATION_LAG, "kill -9 of a cluster's master", () -> {
                                    away.kill();
                                    awaitMaster(replica, scene);
                                    redis.awaitHealthy();
                                });
                                scene.pause(scene.length());
                            });
                            away.start();
                            redis.awaitHealthy();
                        })
                .on(() -> RedisClusterServers.goingOn(1))
                .withShards(shards)
                .mayLose(OF_KILL);
    }

    /** Returns the shards of both queues on other servers. */
    private static Set<String> shardsOfOthers(RedisCluster redis, RedisServer master, int shards) {
        Set<String> others = new TreeSet<>();
        for (String queue : List.of(LoadApplication.HANDLED, LoadApplication.FORWARDED)) {
            for (int shard = 0; shard < shards; shard++) {
                if (redis.masterOf("dq:{" + queue + ":" + shard + "}:index") != master) {
                    others.add(queue + ":" + shard);
                }
            }
        }
        return others;
    }

    private static void awaitMaster(RedisServer server, Scene scene) throws InterruptedException {
        long end = System.nanoTime() + PROMOTION_LIMIT.toNanos();
        try (RedisAdmin admin = new RedisAdmin(server.adminUri())) {
            while (!"master".equals(admin.call("ROLE").get(0))) {
                if (System.nanoTime() - end > 0) {
                    throw new IllegalStateException(server + " was not promoted within " + PROMOTION_LIMIT);
                }
                scene.pause(Duration.ofMillis(50));
            }
        }
    }

    private static void clusterMigration(Scene scene) throws Exception {
        RedisCluster redis = scene.servers(RedisClusterServers.class).redis();
        int[] shard = {0};
        scene.repeat(Duration.ofSeconds(2), () -> {
            String key = index(shard[0]++);
            SlotMigration migration = redis.migration(RedisCluster.slotOf(key), redis.otherMasterThan(key));
            scene.during("slot migration", () -> {
                migration.begin();
                migration.moveKeys(1);
                scene.pause(Duration.ofSeconds(2));
                migration.finish();
            });
        });
    }

    /** Returns the index key of one of the load's queues, in turn. */
    private static String index(int number) {
        String queue = number % 2 == 0 ? "handled" : "forwarded";
        return "dq:{" + queue + ":" + number / 2 % SHARDS + "}:index";
    }
}
