// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.internal.redis.ClusterTargets;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.TestStores;
import io.delayqueue.test.server.RedisCluster;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A replica takes over from a master that does not return. */
class ReplacedNodeIntegrationTests {

    private static final Duration TIMEOUT = Duration.ofMillis(500);
    private static final Shard SHARD = new Shard("orders", 0);

    @Test
    void outageWhenAReplicaHasTakenOverEnds() {
        try (RedisCluster cluster = RedisCluster.installed()
                        .replicas(1)
                        .nodeTimeout(Duration.ofSeconds(2))
                        .start();
                RedisConnections connections =
                        new RedisConnections(() -> ClusterTargets.of(cluster), TIMEOUT, 10_000)) {
            TaskStore store = TestStores.of(connections, new RedisKeys("dq"), TIMEOUT);
            await("the first connection")
                    .untilAsserted(
                            () -> assertThat(store.shards().stats(SHARD)).succeedsWithin(TIMEOUT.multipliedBy(2)));
            cluster.masterOf("dq:{orders:0}:index").kill();
            await().until(() -> {
                store.shards().stats(SHARD).exceptionally(error -> null).join();
                return connections.isUnreachable();
            });

            await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
                assertThat(store.shards().stats(SHARD)).succeedsWithin(TIMEOUT.multipliedBy(2));
                assertThat(connections.isUnreachable()).isFalse();
            });
        }
    }
}
