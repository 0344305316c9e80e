// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.test.server.RedisCluster;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.test.server.SlotMigration;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A Redis Cluster that changes under load. {@code -Ddelayqueue.failover.rounds=20} fails over that often and so loses
 * more; each test logs what was lost.
 */
@Tag("long")
class ClusterFailoverIntegrationTests {

    private static final Logger log = LoggerFactory.getLogger(ClusterFailoverIntegrationTests.class);
    private static final int ROUNDS = Integer.getInteger("delayqueue.failover.rounds", 1);
    private static final Duration RECOVERY = Duration.ofSeconds(15);

    private static RedisCluster cluster;
    private static Replication replication;
    private FailoverLoad load;

    @BeforeAll
    static void startCluster() {
        cluster = RedisCluster.installed()
                .replicas(1)
                .nodeTimeout(Duration.ofSeconds(1))
                .start();
        replication = new Replication(key -> cluster.masterOf(key).port());
    }

    @AfterAll
    static void stopCluster() {
        replication.close();
        cluster.close();
    }

    @BeforeEach
    void start() {
        RedisClusterConfiguration address = new RedisClusterConfiguration(cluster.uris().stream()
                .map(uri -> uri.getHost() + ":" + uri.getPort())
                .toList());
        UserOf.uri(cluster.uris().get(0)).logsIn(address);
        load = new FailoverLoad(new LettuceConnectionFactory(address), replication);
        load.awaitRecovery(200, RECOVERY);
    }

    /** Leaves all nodes running, each master with its replica, for the next test. */
    @AfterEach
    void stop() {
        load.close();
        cluster.nodes().forEach(RedisServer::start);
        cluster.awaitHealthy();
    }

    /** After an earlier failover it may take a moment until there is one. */
    private static RedisServer replicaOf(String key) {
        return await().ignoreExceptions().until(() -> cluster.replicaOf(key), RedisServer::isRunning);
    }

    private FailoverLoad.Tally finish(String what) {
        FailoverLoad.Tally tally = load.finish(RECOVERY);
        log.info("{}: {}", what, tally);
        assertThat(tally.replicated()).isPositive();
        assertThat(tally.lostThoughReplicated()).isZero();
        return tally;
    }

    @Test
    void loadWhenAReplicaIsPromotedByCommandLosesNothing() {
        for (int round = 0; round < ROUNDS; round++) {
            cluster.failover(replicaOf(load.keyOf(round % FailoverLoad.SHARDS)));
            load.awaitRecovery(200, RECOVERY);
        }
        load.awaitWakes(RECOVERY);

        FailoverLoad.Tally tally = finish("CLUSTER FAILOVER");

        assertThat(tally.lost()).isZero();
        assertThat(tally.settledButBack()).isZero();
    }

    @Test
    void loadWhenAMasterAndTheNodeOfTheSubscriberAreKilledLosesAtMostWhatNoReplicaHad() {
        for (int round = 0; round < ROUNDS; round++) {
            RedisServer subscribed = cluster.nodes().stream()
                    .filter(replication::hasSubscriber)
                    .findFirst()
                    .orElseThrow();
            String key = keyWithAnotherReplicaThan(subscribed);
            RedisServer master = cluster.masterOf(key);
            int scans = load.fullScans();

            master.kill();
            subscribed.kill();

            load.awaitRecovery(200, RECOVERY);
            assertThat(load.fullScans()).as("subscribed again").isGreaterThan(scans);
            load.awaitWakes(RECOVERY);
            master.start();
            subscribed.start();
            cluster.awaitHealthy();
        }

        FailoverLoad.Tally tally = finish("kill -9 of a cluster's master, " + ROUNDS + " times");

        assertThat(tally.lost()).isLessThan(tally.acknowledged() / 100);
    }

    /** One of a shard that survives when this node is killed together with the shard's master. */
    private String keyWithAnotherReplicaThan(RedisServer node) {
        List<String> keys = IntStream.range(0, FailoverLoad.SHARDS)
                .mapToObj(load::keyOf)
                .filter(key -> replicaOf(key) != node)
                .toList();
        return keys.stream()
                .filter(key -> cluster.masterOf(key) == node)
                .findFirst()
                .orElse(keys.get(0));
    }

    @Test
    void loadWhenSlotsMoveLosesNothingAndDoublesNothing() {
        for (int shard = 0; shard < ROUNDS; shard++) {
            String key = load.keyOf(shard % FailoverLoad.SHARDS);
            SlotMigration migration = cluster.migration(RedisCluster.slotOf(key), cluster.otherMasterThan(key));
            migration.begin();
            migration.moveKeys(1);
            load.awaitProgress(50, RECOVERY);
            migration.finish();
            load.awaitRecovery(200, RECOVERY);
        }

        FailoverLoad.Tally tally = finish("slot migration");

        assertThat(tally.lost()).isZero();
        assertThat(tally.settledButBack()).isZero();
    }
}
