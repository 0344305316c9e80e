// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.sync.RedisAdvancedClusterCommands;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisClusterIntegrationTests {

    private static final String KEY = "dq:{orders:0}:index";

    private static RedisCluster cluster;
    private static RedisClusterClient client;
    private static RedisAdvancedClusterCommands<String, String> redis;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.installed()
                .replicas(1)
                .nodeTimeout(Duration.ofSeconds(1))
                .start();
        client = RedisClusterClient.create(
                cluster.uris().stream().map(RedisURI::create).toList());
        redis = client.connect().sync();
    }

    @AfterAll
    static void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        List<ProcessHandle> processes = cluster.nodes().stream()
                .filter(RedisServer::isRunning)
                .map(node -> ProcessHandle.of(node.pid()).orElseThrow())
                .toList();
        cluster.close();
        assertThat(processes).hasSize(6).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void failoverWhenAReplicaIsGivenMakesItTheMasterOfTheKey() {
        redis.set(KEY, "before");
        RedisServer replica = cluster.replicaOf(KEY);

        cluster.failover(replica);

        await().until(() -> cluster.masterOf(KEY) == replica);
        assertThat(redis.get(KEY)).isEqualTo("before");
        await().ignoreExceptions().until(() -> cluster.replicaOf(KEY) != replica);
    }

    @Test
    void migrationWhenFinishedHasMovedTheSlotWithItsKeys() {
        redis.set(KEY, "moved");
        RedisServer target = cluster.otherMasterThan(KEY);
        SlotMigration migration = cluster.migration(RedisCluster.slotOf(KEY), target);

        migration.begin();
        assertThat(migration.moveKeys(1)).isEqualTo(1);
        assertThat(redis.get(KEY)).isEqualTo("moved");
        migration.finish();

        await().until(() -> cluster.masterOf(KEY) == target);
        assertThat(redis.get(KEY)).isEqualTo("moved");
    }

    @Test
    void killWhenTheMasterOfAKeyHasAReplicaIsSurvived() {
        RedisServer master = cluster.masterOf(KEY);
        await().ignoreExceptions().until(() -> cluster.replicaOf(KEY) != null);

        master.kill();

        await().ignoreExceptions().until(() -> cluster.masterOf(KEY) != master);
        cluster.awaitHealthy();
        master.start();
        await().ignoreExceptions().until(() -> cluster.replicaOf(KEY) == master);
    }
}
