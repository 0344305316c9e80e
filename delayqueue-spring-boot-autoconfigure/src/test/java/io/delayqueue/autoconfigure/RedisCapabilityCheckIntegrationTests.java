// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.internal.autoconfigure.settings.DelayQueueFailureAnalyzer;
import io.delayqueue.internal.redis.rights.RedisRights;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.test.server.RedisCluster;
import io.delayqueue.test.server.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.CommandType;
import java.net.URI;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Applications on servers that lack something, and how often a server is asked. */
@ExtendWith(OutputCaptureExtension.class)
class RedisCapabilityCheckIntegrationTests {

    private static final String LACKING =
            "This Redis server or its user lacks permissions that the delay queues need: EVALSHA, HSET.";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DataRedisAutoConfiguration.class, DelayQueueAutoConfiguration.class))
            .withPropertyValues("delayqueue.queues.orders.shards=1");

    private static RedisServer withoutTheRights(String... commands) {
        String user = RedisRights.of("dq").user("shop", "secret");
        for (String command : commands) {
            user += " -" + command;
        }
        return RedisServer.embedded().config(user).start();
    }

    private ApplicationContextRunner at(RedisServer redis) {
        return runner.withPropertyValues("spring.data.redis.url=redis://shop:secret@127.0.0.1:" + redis.port());
    }

    @Test
    void startWhenRightsAreMissingFailsAndNamesEach() {
        try (RedisServer redis = withoutTheRights("hset", "evalsha")) {
            at(redis).run(context -> {
                assertThat(context).hasFailed();
                FailureAnalysis analysis = new DelayQueueFailureAnalyzer(null).analyze(context.getStartupFailure());
                assertThat(analysis).isNotNull();
                assertThat(analysis.getDescription()).isEqualTo(LACKING);
                assertThat(analysis.getAction()).contains("docs/security.md", "delayqueue.redis.check=warn");
            });
        }
    }

    /** The driver sends a command without a key to the node with the fewest clients, and replicas refuse this one. */
    @Test
    void startWhenQueuesAskForReplicasOfAClusterFindsThatItsMastersTakeWait() {
        try (RedisCluster cluster = RedisCluster.embedded().replicas(1).start();
                RedisClient clients = RedisClient.create()) {
            for (RedisServer master : cluster.nodes().subList(0, 3)) {
                for (int i = 0; i < 10; i++) {
                    clients.connect(RedisURI.create(master.adminUri()));
                }
            }
            String nodes = cluster.nodes().stream()
                    .map(node -> node.host() + ":" + node.port())
                    .collect(Collectors.joining(","));
            runner.withPropertyValues(
                            "spring.data.redis.cluster.nodes=" + nodes, "delayqueue.queues.orders.min-replicas=1")
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        assertThat(context.getBean(Shardings.class).of("orders").isUnknown())
                                .as("no Redis, no check")
                                .isFalse();
                    });
        }
    }

    @Test
    void startWhenRightsAreMissingAndThatIsToleratedWarns(CapturedOutput output) {
        try (RedisServer redis = withoutTheRights("hset", "evalsha")) {
            at(redis).withPropertyValues("delayqueue.redis.check=warn").run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(output.toString().lines()).anyMatch(line -> line.contains("WARN") && line.contains(LACKING));
            });
            int warned = output.length();
            at(redis).withPropertyValues("delayqueue.redis.check=off").run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(output.toString().substring(warned)).doesNotContain("lacks");
            });
        }
    }

    @Test
    void startWhenTheUserMayNotPublishWarnsAndStarts(CapturedOutput output) {
        try (RedisServer redis = withoutTheRights("publish")) {
            at(redis).run(context -> {
                assertThat(context).hasNotFailed();
                assertThat(output.toString().lines())
                        .anyMatch(line -> line.contains("WARN")
                                && line.contains("lacks PUBLISH on the channels dq:{*}:wake: tasks may be late"));
            });
        }
    }

    @Test
    void startWhenOneNodeOfAClusterLacksARightNamesTheNode() {
        try (RedisCluster cluster = RedisCluster.embedded().start()) {
            for (RedisServer node : cluster.nodes()) {
                user(node, args -> args);
            }
            RedisServer lacking = cluster.nodes().get(1);
            user(lacking, args -> args.removeCommand(CommandType.HSET));
            runner.withPropertyValues(
                            "spring.data.redis.cluster.nodes=127.0.0.1:"
                                    + cluster.nodes().get(0).port(),
                            "spring.data.redis.username=shop",
                            "spring.data.redis.password=secret")
                    .run(context -> assertThat(context)
                            .getFailure()
                            .hasMessageContaining("need: HSET (on 127.0.0.1:" + lacking.port() + ")."));
        }
    }

    private static void user(RedisServer node, Function<AclSetuserArgs, AclSetuserArgs> change) {
        try (RedisClient client = RedisClient.create(RedisURI.create(node.adminUri()));
                StatefulRedisConnection<String, String> admin = client.connect()) {
            admin.sync()
                    .aclSetuser(
                            "shop",
                            change.apply(new AclSetuserArgs()
                                    .on()
                                    .addPassword("secret")
                                    .allKeys()
                                    .allChannels()
                                    .allCommands()));
        }
    }

    @Test
    void startWhenRedisIsDownReportsLaterWhatIsMissing(CapturedOutput output) {
        try (RedisServer redis = withoutTheRights("hset", "evalsha")) {
            redis.stop();
            at(redis).run(context -> {
                assertThat(context).hasNotFailed();
                redis.start();
                await().atMost(Duration.ofSeconds(15))
                        .untilAsserted(() -> assertThat(output.toString().lines())
                                .anyMatch(line -> line.contains("ERROR") && line.contains(LACKING)));
            });
        }
    }

    @Test
    void startAsksForInfoOnce() {
        try (RedisServer redis = RedisServer.embedded().start()) {
            try (RedisClient client = RedisClient.create(RedisURI.create(redis.adminUri()));
                    StatefulRedisConnection<String, String> admin = client.connect()) {
                RedisCommands<String, String> commands = admin.sync();
                commands.configResetstat();
                URI uri = redis.uri();
                runner.withPropertyValues("spring.data.redis.url=" + uri)
                        .run(context -> assertThat(context).hasNotFailed());
                assertThat(commands.info("commandstats")).contains("cmdstat_info:calls=1,");
            }
        }
    }
}
