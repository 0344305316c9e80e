// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.test.server.RedisCluster;
import io.delayqueue.test.server.RedisServer;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The outbox while one master of a cluster is away and has no replica. */
@ExtendWith(OutputCaptureExtension.class)
class ClusterOutboxIntegrationTests {

    private static final int SHARDS = 12;
    private static final int ROUNDS = 8;

    private final String keyPrefix = "t" + System.nanoTime();

    @Test
    void operationsWhenOneMasterIsAwayAreSentToOthersAtOnce(CapturedOutput output) {
        try (RedisCluster cluster = RedisCluster.installed()
                        .config("cluster-require-full-coverage no")
                        .start();
                OutboxApplication app = start(cluster)) {
            RedisServer lost = cluster.otherMasterThan(keyPrefix + ":{orders}:sharding");
            List<String> away = ids("away-", shard -> cluster.masterOf(indexOf(shard)) == lost);
            List<String> served = ids("served-", shard -> cluster.masterOf(indexOf(shard)) != lost);
            schedule(app, away.get(0));
            await().until(() -> app.rows() == 0);
            schedule(app, served.get(0));
            await().until(() -> app.rows() == 0);
            lost.kill();

            for (int i = 1; i < ROUNDS; i++) {
                schedule(app, away.get(i));
                await().until(() -> output.getOut().contains("cannot be reached"));
                String id = served.get(i);
                schedule(app, id);
                await().until(() -> app.tasks().find("orders", id).isPresent());
            }

            assertThat(app.rows()).isGreaterThanOrEqualTo(ROUNDS - 1);
            assertThat(output.getOut())
                    .containsOnlyOnce("calls failed; they stay in the outbox")
                    .doesNotContain("the relay was sending the outbox");
            lost.start();
            await().atMost(OutboxScene.PATIENCE).until(() -> app.rows() == 0);
            assertThat(app.tasks().find("orders", away.get(1))).isPresent();
        }
    }

    private OutboxApplication start(RedisCluster cluster) {
        String[] user = cluster.uris().get(0).getUserInfo().split(":");
        String nodes = cluster.uris().stream()
                .map(uri -> uri.getHost() + ":" + uri.getPort())
                .collect(Collectors.joining(","));
        return new OutboxApplication(
                new DriverManagerDataSource("jdbc:h2:mem:cluster;DB_CLOSE_DELAY=-1", "sa", ""),
                "",
                keyPrefix,
                "spring.data.redis.cluster.nodes=" + nodes,
                "spring.data.redis.username=" + user[0],
                "spring.data.redis.password=" + user[1],
                "delayqueue.queues.orders.shards=" + SHARDS,
                "delayqueue.jdbc.relay.longest-pause=1h");
    }

    private static void schedule(OutboxApplication app, String id) {
        app.transactions()
                .executeWithoutResult(status -> app.outbox().schedule(requestTo("orders", id, "x", OutboxScene.LATER)));
    }

    private String indexOf(int shard) {
        return keyPrefix + ":{orders:" + shard + "}:index";
    }

    private static List<String> ids(String start, Predicate<Integer> inShard) {
        return IntStream.range(0, 1000)
                .mapToObj(i -> start + i)
                .filter(id -> inShard.test(Sharding.initial(SHARDS).homeOf(id)))
                .limit(ROUNDS)
                .toList();
    }
}
