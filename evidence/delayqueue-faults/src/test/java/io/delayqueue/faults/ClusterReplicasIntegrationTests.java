// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.TaskContent;
import io.delayqueue.internal.redis.ClusterTargets;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.store.ScheduleReply;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.TestStores;
import io.delayqueue.test.server.RedisCluster;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Calls that require replicas in a cluster. Replicas are counted on the node that has the shard. */
class ClusterReplicasIntegrationTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final int SHARDS = 12;

    private static ScheduleReply schedule(TaskStore store, int shard) {
        NewTask task = new NewTask(
                UUID.randomUUID().toString(),
                new byte[16],
                Due.after(Duration.ofHours(1)),
                ConflictPolicy.REPLACE,
                new TaskContent("application/json", Map.of(), new byte[10]),
                1);
        return StoreCalls.schedule(store, new Shard("orders", shard), List.of(task))
                .join()
                .get(0);
    }

    private static String key(int shard) {
        return "dq:{orders:" + shard + "}:index";
    }

    @Test
    void scheduleWhenTheReplicaOfOneMasterIsGoneFailsForItsShardsOnlyAndFollowsAFailover() {
        try (RedisCluster cluster = RedisCluster.installed().replicas(1).start()) {
            RedisConnections connections = new RedisConnections(() -> ClusterTargets.of(cluster), TIMEOUT, 10_000);
            TaskStore store = TestStores.of(
                    connections, new RedisKeys("dq"), TIMEOUT, TIMEOUT.dividedBy(4), queue -> 0, QueueClock.SERVERS);
            try {
                // each master has to have met its replica
                await().until(() -> IntStream.range(0, SHARDS)
                        .allMatch(shard -> schedule(store, shard).replicas() == 1));

                RedisServer master = cluster.masterOf(key(0));
                RedisServer replica = cluster.replicaOf(key(0));
                replica.suspend();
                for (int shard = 0; shard < SHARDS; shard++) {
                    int expected = cluster.masterOf(key(shard)) == master ? 0 : 1;
                    assertThat(schedule(store, shard).replicas())
                            .as("shard " + shard)
                            .isEqualTo(expected);
                }
                replica.resume();

                cluster.failover(replica);
                await().atMost(Duration.ofSeconds(20))
                        .ignoreExceptions()
                        .until(() -> IntStream.range(0, SHARDS)
                                .allMatch(shard -> schedule(store, shard).replicas() == 1));
                assertThat(cluster.masterOf(key(0))).isSameAs(replica);
            } finally {
                connections.close();
            }
        }
    }
}
